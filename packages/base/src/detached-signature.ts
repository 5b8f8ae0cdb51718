import { createHmac } from 'node:crypto';

/**
 * The signature of a text by a shared secret, as a JSON Web Signature without its payload: `HEADER..SIGNATURE`. Who has
 * text and secret makes it again and compares, so that it must be the same byte for byte, whoever makes it.
 *
 * @param keyId the public name of the secret
 */
export function detachedSignature(text: string, keyId: string, secret: string): string {
  const base64 = (part: string): string => Buffer.from(part, 'utf8').toString('base64url');
  const header = base64(JSON.stringify({ alg: 'HS256', kid: keyId }));
  const signature = createHmac('sha256', secret)
    .update(`${header}.${base64(text)}`)
    .digest('base64url');
  return `${header}..${signature}`;
}
