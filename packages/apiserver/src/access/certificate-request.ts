// Reads who a certificate signing request (PKCS #10) is for. Node reads certificates, but not requests.

/** The subject of a request. */
export interface RequestedSubject {
  readonly commonName: string;
  readonly organizations: readonly string[];
}

const PEM = /^-----BEGIN (?:NEW )?CERTIFICATE REQUEST-----\r?\n([A-Za-z0-9+/=\s]+)-----END /m;
const SEQUENCE = 0x30;
const OBJECT_ID = 0x06;
/** 2.5.4.3 and 2.5.4.10, as they are encoded. */
const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';

interface Element {
  readonly tag: number;
  readonly content: Uint8Array;
}

/**
 * @param request PEM
 * @throws Error that says what is wrong with it
 */
export function requestedSubject(request: string): RequestedSubject {
  const base64 = PEM.exec(request)?.[1];
  if (base64 === undefined) throw new Error('PEM block type must be CERTIFICATE REQUEST');
  const whole = only(Buffer.from(base64, 'base64'), SEQUENCE);
  const [info] = elements(whole);
  const [, subject] = elements(info?.content ?? new Uint8Array());
  if (info?.tag !== SEQUENCE || subject?.tag !== SEQUENCE) throw new Error('the request has no subject');
  let commonName = '';
  const organizations: string[] = [];
  for (const part of elements(subject.content)) {
    for (const pair of elements(part.content)) {
      const [id, value] = elements(pair.content);
      if (id?.tag !== OBJECT_ID || value === undefined) throw new Error('the subject is malformed');
      const text = Buffer.from(value.content).toString('utf8');
      const name = Buffer.from(id.content).toString('hex');
      if (name === COMMON_NAME) commonName = text;
      else if (name === ORGANIZATION) organizations.push(text);
    }
  }
  return { commonName, organizations };
}

function only(bytes: Uint8Array, tag: number): Uint8Array {
  const [first] = elements(bytes);
  if (first?.tag !== tag) throw new Error('the request is not DER');
  return first.content;
}

function elements(bytes: Uint8Array): Element[] {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1] ?? 0;
    let start = at + 2;
    if (length > 0x80) {
      const size = length & 0x7f;
      // No request is longer than what four bytes can say.
      if (size > 4) throw new Error('the request is not DER');
      length = 0;
      for (const byte of bytes.subarray(start, start + size)) length = length * 256 + byte;
      start += size;
    }
    const end = start + length;
    if (end > bytes.length) throw new Error('the request ends too soon');
    found.push({ tag, content: bytes.subarray(start, end) });
    at = end;
  }
  return found;
}
