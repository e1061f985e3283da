const NAMES = {
  country: new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }),
  currency: new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }),
  language: new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }),
};

/** Gives the display name of a country, currency or language, or the code itself where it has none. */
export function nameCode(type: keyof typeof NAMES, code: string): string {
  return NAMES[type].of(code) ?? code;
}

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Every country code of two letters that has a name. */
export const COUNTRY_CODES = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter((code) =>
  NAMES.country.of(code),
);

/** Every currency code that has a name. */
export const CURRENCY_CODES = Intl.supportedValuesOf('currency');

/** What a language code looks like: a language, and perhaps a country. */
export const LANGUAGE_CODE = /^[a-z]{2,3}(-[A-Z]{2})?$/;
