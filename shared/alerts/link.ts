const PLACEHOLDER = /\{([^{}]*)\}/g;
/** Slack takes 3,000 of an address, and a digest has several. */
const LONGEST_LINK = 1500;
const PATH = /^[^.\s{}]+(\.[^.\s{}]+)*$/;

/** True for a dotted path into an event, e.g. `data.record.newRole`. */
export const isPath = (text: string): boolean => PATH.test(text);

/** True for an https address whose `{dotted.paths}` stand behind the host: an event chooses a place there, never the host. */
export function isLink(template: string): boolean {
  const paths = [...template.matchAll(PLACEHOLDER)].map(([, path]) => path ?? '');
  const rest = template.replace(PLACEHOLDER, 'x');
  return (
    /^https:\/\/[^/?#{}\\@]+(?:[/?#]|$)/.test(template) &&
    paths.every(isPath) &&
    !/[{}\s]/.test(rest) &&
    URL.canParse(rest)
  );
}

/** Puts values, percent-encoded, into a link; there is no link where one of them is unknown or would climb up the path. */
export function fillLink(template: string, read: (path: string) => string | undefined): string | undefined {
  let whole = true;
  const filled = template.replace(PLACEHOLDER, (_, path: string) => {
    const value = read(path)?.toWellFormed();
    if (value === undefined || /^\.*$/.test(value)) whole = false;
    return encodeURIComponent(value ?? '');
  });
  if (!whole || filled.length > LONGEST_LINK) return undefined;
  // What a URL may have and what would end a link in Slack's markup.
  return URL.parse(filled)?.href.replaceAll('|', '%7C').replaceAll('>', '%3E');
}
