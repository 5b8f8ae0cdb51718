// The name of who asks: read from whatever string types the request uses, and written again in one.
import { objectIdentifier, sequence, set, utf8 } from './der.ts';
import { type Element, partsOf, readObjectIdentifier, SEQUENCE, SET } from './der-reader.ts';
import { SigningRequestError } from './errors.ts';

export interface Subject {
  /** The last one counts, as in Go. */
  readonly commonName: string;
  readonly organizations: readonly string[];
  /**
   * The name in DER, written from what was read. A certificate carries this and not the requester's bytes, so that
   * it says what was checked, whoever reads it.
   */
  readonly der: Uint8Array;
}

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const SERIAL_NUMBER = '2.5.4.5';

/** What a certificate keeps of a request's subject, in the order in which Kubernetes' signer writes it. */
const KEPT: readonly string[] = [
  '2.5.4.6', // country
  ORGANIZATION,
  '2.5.4.11', // organizational unit
  '2.5.4.7', // locality
  '2.5.4.8', // province
  '2.5.4.9', // street address
  '2.5.4.17', // postal code
  COMMON_NAME,
  SERIAL_NUMBER,
];
/** Of these only the last one is kept. */
const SINGLE: ReadonlySet<string> = new Set([COMMON_NAME, SERIAL_NUMBER]);

/** @throws SigningRequestError */
export function readSubject(element: Element | undefined): Subject {
  const values = new Map<string, string[]>();
  for (const part of partsOf(element, SEQUENCE, 'the subject'))
    for (const pair of partsOf(part, SET, 'a part of the subject')) {
      const [id, value] = partsOf(pair, SEQUENCE, 'a name in the subject', [2, 2]);
      const name = readObjectIdentifier(id);
      const text = readText(value);
      const before = values.get(name);
      if (before === undefined || SINGLE.has(name)) values.set(name, [text]);
      else before.push(text);
    }
  return {
    commonName: values.get(COMMON_NAME)?.[0] ?? '',
    organizations: values.get(ORGANIZATION) ?? [],
    der: sequence(
      ...KEPT.flatMap((name) =>
        (values.get(name) ?? []).map((text) => set(sequence(objectIdentifier(name), utf8(text)))),
      ),
    ),
  };
}

/** What Go takes, though `*` and `&` are not in the standard. */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/;
const NUMERIC = /^[0-9 ]*$/;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readText(element: Element | undefined): string {
  const { tag, content } = element ?? { tag: 0, content: new Uint8Array() };
  switch (tag) {
    case 0x0c:
      return readUtf8(content);
    case 0x12:
      return matching(content, NUMERIC, 'NumericString');
    case 0x13:
      return matching(content, PRINTABLE, 'PrintableString');
    // T.61 is read as Latin-1, as OpenSSL and Go do.
    case 0x14:
      return latin1(content);
    case 0x16:
      return readIa5(content, 'a text of the subject');
    case 0x1e:
      return readBmp(content);
    default:
      throw new SigningRequestError(`a text of the subject has the tag ${tag}, which is no string`);
  }
}

const latin1 = (content: Uint8Array): string => Buffer.from(content).toString('latin1');

function matching(content: Uint8Array, pattern: RegExp, type: string): string {
  const text = latin1(content);
  if (!pattern.test(text)) throw new SigningRequestError(`a text of the subject is no ${type}`);
  return text;
}

export function readIa5(content: Uint8Array, what: string): string {
  if (content.some((byte) => byte >= 0x80)) throw new SigningRequestError(`${what} is not ASCII`);
  return latin1(content);
}

function readUtf8(content: Uint8Array): string {
  try {
    return decoder.decode(content);
  } catch (error) {
    throw new SigningRequestError('a text of the subject is not UTF-8', error);
  }
}

/** Two bytes a character; what is beyond the first plane, or is no character, is refused. */
function readBmp(content: Uint8Array): string {
  if (content.length % 2 !== 0) throw new SigningRequestError('a text of the subject is no BMPString');
  const text = Buffer.from(content).swap16().toString('utf16le');
  if (/[\uD800-\uDFFF\uFDD0-\uFDEF\uFFFE\uFFFF]/.test(text))
    throw new SigningRequestError('a text of the subject is no BMPString');
  return text;
}
