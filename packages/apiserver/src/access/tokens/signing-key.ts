import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { exportJWK, type JWK } from 'jose';

/** Signs the tokens of service accounts, and verifies them. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Stands in each token's header; the same for the same key at every start. */
  readonly id: string;
}

const RSA_BITS = 2048;

/** @param pem PKCS#8; a new key when absent, so that no token outlives the process */
export function signingKey(pem?: string): SigningKey {
  const privateKey =
    pem === undefined
      ? generateKeyPairSync('rsa', { modulusLength: RSA_BITS }).privateKey
      : createPrivateKey(pem);
  const publicKey = createPublicKey(privateKey);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { privateKey, publicKey, id: createHash('sha256').update(der).digest('base64url') };
}

/** What others need to verify tokens: public parts only. */
export async function publicJwk({ publicKey, id }: SigningKey): Promise<JWK> {
  const { kty, n, e } = await exportJWK(publicKey);
  return {
    use: 'sig',
    kid: id,
    alg: 'RS256',
    ...(kty !== undefined && { kty }),
    ...(n !== undefined && { n }),
    ...(e !== undefined && { e }),
  };
}
