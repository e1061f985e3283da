/** The items of a text, two spaces or a line apart. */
function list(text: string): readonly string[] {
  return text.trim().split(/ {2,}|\n */);
}

/** Small, so that patterns and events meet, and full of near misses. Everything here is JSON text. */
export const STRINGS = list(String.raw`
  ""  "a"  "A"  "ab"  "AB"  "aB"  "abc"  "abab"  "abcabc"  "b"  "b."  "a b"  "true"  "null"  "1"  "1.0"  "a*"  "*"
  "**"  "a*c"  "a\\"  "\\"  "a\\*"  "\""  "a\"b"  "/x/y"  "tab\t"  "\u0000"  "N"  "ä"  "Ä"  "äb"  "ß"  "SS"  "ss"
  "sS"  "İ"  "i̇"  "ı"  "I"  "K"  "k"  "ſ"  "S"  "s"  "Σ"  "σ"  "ς"  "ǅ"  "ǆ"  "ﬁ"  "FI"  "日本"  "日"  "本"  "😀"
  "a😀"  "😀b"  "😁"  "𐐀"  "𐐨"  "10.0.0.1"  "10.0.0.9"  "10.0.0.15"  "10.0.1.1"  "010.0.0.1"  "10.0.0"
  "10.0.0.256"  "0.0.0.0"  "255.255.255.255"  "32.1.13.184"  "::1"  "::"  "0:0:0:0:0:0:0:1"  "00001::"
  "2001:db8::1"  "2001:DB8:0::1"  "2001:db8::f"  "::ffff:a00:1"  "1:2:3:4:5:6:7::"  "1::2:3:4:5:6:7:8"  "1:2"
  ":1"  "1:"  ":"  "1::2::3"  "12345::"  "a00:1::"
`);

export const NUMBERS = list(`
  0  -0  0.0  -0.0  1  1.0  1e0  10e-1  0.1e1  100E-2  2  3  -1  -1.0  0.1  0.10  1e-1  300  3.0e2  3.018e2  301.8
  5  5.5  1e9  5e9  5000000000  5000000001  -5000000000  123456  1e300  4294967296  9007199254740992  0.3  34
  1.5e-7  0.00000015
`);

/** What a double, or Ruler, does not hold as it is written; rare, since the two sides differ in these by nature. */
export const ODD_NUMBERS = list(`
  5e-324  1.7976931348623157e308  9007199254740993  12345678901234567890  0.1234567890123456789  1e400
  123456789012345678901
`);

export const PLAIN = ['true', 'false', 'null'];

export const KEYS = ['a', 'b', 'c', 'a', 'b', 'd-e', 'A', 'ä', 'a.b', '$or', 'constructor', '1'];

/** What stands in place of a leaf and is refused or nearly. */
export const FAULTY_LEAVES = list(String.raw`
  []  "a"  1  null  true  {}  [{}]  [[]]  [["a"]]  [{"prefix":1}]  [{"prefix":["a"]}]  [{"prefix":null}]
  [{"prefix":{}}]  [{"prefix":{"suffix":"a"}}]  [{"prefix":{"equals-ignore-case":1}}]  [{"prefix":""}]
  [{"suffix":""}]  [{"prefix":{"equals-ignore-case":"a","x":1}}]  [{"suffix":{"equals-ignore-case":["a"]}}]
  [{"suffix":{"prefix":"a"}}]  [{"prefix":"a","suffix":"b"}]  [{"Prefix":"a"}]  [{"nope":1}]  [{"constructor":1}]
  [{"equals-ignore-case":1}]  [{"equals-ignore-case":""}]  [{"equals-ignore-case":["a"]}]  [{"exactly":"a"}]
  [{"exactly":1}]  [{"exists":"true"}]  [{"exists":1}]  [{"exists":null}]  [{"exists":true,"prefix":"a"}]
  [{"wildcard":1}]  [{"wildcard":""}]  [{"wildcard":"**"}]  [{"wildcard":"a**b"}]  [{"wildcard":"a\\b"}]
  [{"wildcard":"\\"}]  [{"wildcard":"\\***"}]  [{"wildcard":"*\\**"}]  [{"wildcard":["a*"]}]
  [{"anything-but":[]}]  [{"anything-but":null}]  [{"anything-but":true}]  [{"anything-but":[true]}]
  [{"anything-but":["a",1]}]  [{"anything-but":[["a"]]}]  [{"anything-but":{}}]  [{"anything-but":{"prefix":""}}]
  [{"anything-but":{"suffix":["a",""]}}]  [{"anything-but":{"prefix":1}}]  [{"anything-but":{"prefix":[]}}]
  [{"anything-but":""}]  [{"anything-but":{"prefix":{"equals-ignore-case":"a"}}}]
  [{"anything-but":{"numeric":[">",1]}}]  [{"anything-but":{"cidr":"10.0.0.0/8"}}]
  [{"anything-but":{"prefix":"a","suffix":"b"}}]  [{"anything-but":"a","prefix":"b"}]
  [{"anything-but":{"wildcard":"**"}}]  [{"anything-but":{"wildcard":["a*",1]}}]
  [{"anything-but":{"equals-ignore-case":[1]}}]  [{"anything-but":{"equals-ignore-case":[]}}]
  [{"anything-but":{"wildcard":[]}}]  [{"anything-but":1e400}]  [{"anything-but":["a",null]}]  [{"numeric":[]}]
  [{"numeric":1}]  [{"numeric":["="]}]  [{"numeric":["=","1"]}]  [{"numeric":["=",1,"<",2]}]
  [{"numeric":["<",1,">",0]}]  [{"numeric":[">",1,">",2]}]  [{"numeric":[">",1,"<",1]}]
  [{"numeric":[">=",1,"<=",1]}]  [{"numeric":[">",2,"<",1]}]  [{"numeric":[">",1,"<",2,"<",3]}]
  [{"numeric":[">",1,"<"]}]  [{"numeric":["!=",1]}]  [{"numeric":[1]}]  [{"numeric":["=",null]}]
  [{"numeric":["=",1e400]}]  [{"numeric":[">",1,2]}]  [{"numeric":["=",1],"prefix":"a"}]
  [{"numeric":["<=",1,"<",2]}]  [{"numeric":[">",1,"<",null]}]  [{"numeric":[">=",-0.0,"<",0]}]  [{"cidr":1}]
  [{"cidr":"10.0.0.0"}]  [{"cidr":"10.0.0.0/"}]  [{"cidr":"/8"}]  [{"cidr":"10.0.0.0/32"}]
  [{"cidr":"10.0.0.0/31"}]  [{"cidr":"10.0.0.0/-1"}]  [{"cidr":"10.0.0.0/0"}]  [{"cidr":"10.0.0.0/8/8"}]
  [{"cidr":"10.0.0.0/x"}]  [{"cidr":"10.0.0/8"}]  [{"cidr":"::/127"}]  [{"cidr":"::/128"}]  [{"cidr":"::/0"}]
  [{"cidr":"g::/8"}]  [{"cidr":"10.0.0.0/ 8"}]  [{"cidr":"10.0.0.0/08"}]  [{"cidr":"10.0.0.0/8/"}]
  [{"cidr":["10.0.0.0/8"]}]  [{"cidr":"10.0.0.256/8"}]  [{"cidr":"2001:db8::/32"}]  [{"cidr":"::ffff:a00:0/8"}]
`);

/** Whole patterns that are refused or nearly. */
export const FAULTY_PATTERNS = list(String.raw`
  {}  []  "a"  1  null  {  {"a":[1]}}  {'a':[1]}  {"a":[1],}  {"a":[1]} {"b":[1]}  {"a":[01]}  {"a":[NaN]}
  {"a":[1],"a":[2]}  {"a":{"b":[1]},"a":{"c":[1]}}  {"a.b":[1],"a":{"b":[2]}}  {"a":[1],"\u0061":[1]}  {"$or":[]}
  {"$or":[{"a":[1]}]}  {"$or":{"a":[1]}}  {"$or":["a"]}  {"$or":[{"a":[1]},"b"]}  {"$or":[{"a":[1]},{}]}
  {"$or":[{"a":[1]},[]]}  {"$or":[{"prefix":["a"]},{"a":[1]}]}  {"$or":[{"a":{"cidr":["a"]}},{"a":[1]}]}
  {"prefix":["a"]}  {"$or":[{"a":[1]},{"b":[2]}],"a":[3]}  {"a":[3],"$or":[{"a":[1]},{"b":[2]}]}
  {"$or":[{"a":[1]},{"a":[1]}]}  {"$or":null}  {"$or":[{"$or":[{"a":[1]},{"b":[1]}]},{"a":[2]}]}
  {"$or":[{"regex":["a"]},{"a":[1]}]}  {"a":{"$or":[{"b":[1]},{"c":{}}]}}
`);
