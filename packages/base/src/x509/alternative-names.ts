// The other names that a request asks for: an extension in one of the request's attributes.
import {
  BOOLEAN,
  type Element,
  expectTag,
  OCTET_STRING,
  partsOf,
  readObjectIdentifier,
  SEQUENCE,
  SET,
  wellFormedElements,
} from './der-reader.ts';
import { SigningRequestError } from './errors.ts';
import { readIa5 } from './subject.ts';

export const ATTRIBUTES = 0xa0;
export const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
export const SUBJECT_ALT_NAME = '2.5.29.17';

export interface AlternativeNames {
  readonly dnsNames: readonly string[];
  /** Of 4 or 16 bytes. */
  readonly ipAddresses: readonly Uint8Array[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
}

const EMAIL = 0x81;
const DNS = 0x82;
const URI = 0x86;
const IP = 0x87;
/** Names that no Kubernetes signer certifies, and that a certificate therefore does not get. */
const OTHERS: ReadonlySet<number> = new Set([0xa0, 0xa3, 0xa4, 0xa5, 0x88]);

/** @throws SigningRequestError */
export function readAlternativeNames(attributes: Element | undefined): AlternativeNames {
  const seen = new Set<string>();
  let names: AlternativeNames = { dnsNames: [], ipAddresses: [], emailAddresses: [], uris: [] };
  for (const attribute of partsOf(attributes, ATTRIBUTES, 'the list of attributes')) {
    const [id, values] = partsOf(attribute, SEQUENCE, 'an attribute', [2, 2]);
    expectTag(values, SET, 'the list of values of an attribute');
    if (readObjectIdentifier(id) !== EXTENSION_REQUEST) continue;
    const [list] = partsOf(values, SET, 'the list of extensions', [1, 1]);
    for (const extension of partsOf(list, SEQUENCE, 'the list of extensions')) {
      const { name, value } = readExtension(extension);
      // Two readers could each take another one of two.
      if (seen.has(name))
        throw new SigningRequestError(`the certificate request asks for the extension ${name} twice`);
      seen.add(name);
      if (name === SUBJECT_ALT_NAME) names = readNames(value);
    }
  }
  return names;
}

function readExtension(element: Element): { readonly name: string; readonly value: Uint8Array } {
  const parts = partsOf(element, SEQUENCE, 'an extension', [2, 3]);
  if (parts.length === 3) {
    const { content } = expectTag(parts[1], BOOLEAN, 'whether an extension is critical');
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff))
      throw new SigningRequestError('whether an extension is critical is neither true nor false');
  }
  return {
    name: readObjectIdentifier(parts[0]),
    value: expectTag(parts.at(-1), OCTET_STRING, 'the value of an extension').content,
  };
}

function readNames(value: Uint8Array): AlternativeNames {
  const [list, ...others] = wellFormedElements(value);
  if (others.length > 0) throw new SigningRequestError('something follows the alternative names');
  const dnsNames: string[] = [];
  const ipAddresses: Uint8Array[] = [];
  const emailAddresses: string[] = [];
  const uris: string[] = [];
  for (const { tag, content } of partsOf(list, SEQUENCE, 'the list of alternative names')) {
    if (tag === DNS) dnsNames.push(readIa5(content, 'a DNS name'));
    else if (tag === EMAIL) emailAddresses.push(readIa5(content, 'an email address'));
    else if (tag === URI) uris.push(readIa5(content, 'a URI'));
    else if (tag === IP) {
      if (content.length !== 4 && content.length !== 16)
        throw new SigningRequestError(`an IP address has ${content.length} bytes, not 4 or 16`);
      ipAddresses.push(content);
    } else if (!OTHERS.has(tag))
      throw new SigningRequestError(`an alternative name has the tag ${tag}, which is none`);
  }
  return { dnsNames, ipAddresses, emailAddresses, uris };
}
