import { PatternError } from './pattern-error.ts';
import type { Test } from './scalar.ts';

/** Zeros may lead, as long as the whole is no longer than `255.255.255.255`. */
const IPV4 = /^(?=.{7,15}$)\d+\.\d+\.\d+\.\d+$/;
const IPV6 = /^[\da-f:]*:[\da-f:]*$/i;
const IPV4_IN_IPV6 = '00000000000000000000ffff';

/**
 * Reads an IP address as hexadecimal digits, 8 of IPv4 or 32 of IPv6, so that its spellings are one and the digits
 * sort as the addresses do; undefined for any other text.
 */
export function readAddress(text: string): string | undefined {
  if (IPV4.test(text)) return readIpv4(text);
  if (IPV6.test(text)) return readIpv6(text);
  return undefined;
}

/**
 * Tests for the addresses of a block such as `10.0.0.0/8` or `2001:db8::/32`.
 * @throws {PatternError} for anything that is not such a block
 */
export function testCidr(block: unknown, path: string): Test {
  if (typeof block !== 'string') throw new PatternError(path, 'cidr must be a string, such as "10.0.0.0/8"');
  const [address = '', mask, ...more] = block.split('/');
  if (mask === undefined || more.length > 0)
    throw new PatternError(path, `Malformed CIDR, one '/' required: write "10.0.0.0/8" instead of "${block}"`);
  if (!/^\d{1,3}$/.test(mask)) throw new PatternError(path, `Malformed CIDR, mask bits must be an integer: "${mask}"`);
  const digits = readAddress(address);
  if (digits === undefined) throw new PatternError(path, `Nonstandard IP address: "${address}"`);
  const bits = digits.length * 4;
  const maskBits = Number(mask);
  if (maskBits >= bits)
    throw new PatternError(path, `${bits === 32 ? 'IPv4' : 'IPv6'} mask bits must be < ${bits}, not ${maskBits}`);
  const spare = BigInt(bits - maskBits);
  const first = (BigInt(`0x${digits}`) >> spare) << spare;
  const last = first | ((1n << spare) - 1n);
  const [from, to] = [first, last].map((end) => end.toString(16).padStart(digits.length, '0')) as [string, string];
  return (value) => {
    const found = typeof value === 'string' ? readAddress(value) : undefined;
    return found !== undefined && found.length === from.length && found >= from && found <= to;
  };
}

function readIpv4(text: string): string | undefined {
  const bytes = text.split('.').map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes.map((byte) => hex(byte, 2)).join('') : undefined;
}

function readIpv6(text: string): string | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const groups = readGroups(head);
  const after = tail === undefined ? [] : readGroups(tail);
  const missing = 8 - groups.length - after.length;
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined;
  const all = [...groups, ...Array<number>(missing).fill(0), ...after];
  if (!all.every((group) => group <= 0xffff)) return undefined;
  const digits = all.map((group) => hex(group, 4)).join('');
  return digits.startsWith(IPV4_IN_IPV6) ? digits.slice(IPV4_IN_IPV6.length) : digits;
}

/** An empty group becomes NaN, which is no number up to 0xffff. */
function readGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
