// Names of images as registries know them: `[DOMAIN/]PATH[:TAG][@DIGEST]`.

const ALPHANUMERIC = '[a-z\\d]+(?:(?:[._]|__|-+)[a-z\\d]+)*';
const LABEL = '[A-Za-z\\d](?:[A-Za-z\\d-]*[A-Za-z\\d])?';
const DOMAIN = `(?:${LABEL}(?:\\.${LABEL})*|\\[[A-Fa-f\\d:]+\\])(?::\\d+)?`;
const REFERENCE = new RegExp(
  `^(?:(${DOMAIN})/)?(${ALPHANUMERIC}(?:/${ALPHANUMERIC})*)(?::(\\w[\\w.-]{0,127}))?(@[\\w+.-]+:[A-Fa-f\\d]{32,})?$`,
);
const MAX_PATH = 255;
const DEFAULT_FOLDER = 'library/';
const DEFAULT_TAG = 'latest';

/** `latest` when nobody says which; undefined by digest, and of what no registry could serve. */
export function tagOfImage(image: string): string | undefined {
  const match = REFERENCE.exec(image);
  if (match === null || /^[a-f\d]{64}$/.test(image)) return undefined;
  const [, domain = '', path = '', tag, digest] = match;
  // What comes before the first slash is a domain only if it looks like one.
  const isDomain = domain === 'localhost' || /[.:[A-Z]/.test(domain);
  const inner = domain === '' || isDomain ? path : `${domain}/${path}`;
  const whole = isDomain || inner.includes('/') ? inner : DEFAULT_FOLDER + inner;
  if (whole.length > MAX_PATH) return undefined;
  return tag ?? (digest === undefined ? DEFAULT_TAG : undefined);
}
