import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Cached, deepCopy } from '@windlass/apimachinery';
import type { Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { annotationsOf } from '../shared/meta.ts';

export type ReadonlySecret = Cached<Secret>;
export type ReadonlyAccount = Cached<ServiceAccount>;

export const TOKEN_SECRET = 'kubernetes.io/service-account-token';
const ACCOUNT_NAME = 'kubernetes.io/service-account.name';
const ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const CLAIM = 'kubernetes.io/serviceaccount/';

/** The account that a secret's token is for; undefined when it names none. */
export const accountNameOf = (secret: ReadonlySecret): string | undefined =>
  annotationsOf(secret)[ACCOUNT_NAME];

/** Whether the account is the one that the secret means, and not a later one of its name. */
export function isMeant(secret: ReadonlySecret, account: ReadonlyAccount): boolean {
  const uid = annotationsOf(secret)[ACCOUNT_UID];
  return uid === undefined || uid === account.metadata.uid;
}

/** Signs tokens that have no end of their own: they are good as long as their secret is there. */
export class SecretTokenSigner {
  readonly #key: KeyObject;
  readonly #header: string;

  /** @param pem the private key whose public part the API server knows */
  constructor(pem: string) {
    this.#key = createPrivateKey(pem);
    const kid = createHash('sha256')
      .update(createPublicKey(this.#key).export({ type: 'spki', format: 'der' }))
      .digest('base64url');
    this.#header = encode({ alg: this.#key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256', kid });
  }

  tokenFor(account: ReadonlyAccount, secret: string): string {
    const [namespace, name] = [account.metadata.namespace, account.metadata.name];
    const body = `${this.#header}.${encode({
      iss: 'kubernetes/serviceaccount',
      [`${CLAIM}namespace`]: namespace,
      [`${CLAIM}secret.name`]: secret,
      [`${CLAIM}service-account.name`]: name,
      [`${CLAIM}service-account.uid`]: account.metadata.uid,
      sub: `system:serviceaccount:${namespace}:${name}`,
    })}`;
    const signature = sign('sha256', Buffer.from(body), { key: this.#key, dsaEncoding: 'ieee-p1363' });
    return `${body}.${signature.toString('base64url')}`;
  }
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** The secret with all that belongs in it; undefined when it has that. A token that is there stays. */
export function completed(
  secret: ReadonlySecret,
  account: ReadonlyAccount,
  { rootCa, signer }: { readonly rootCa: string | undefined; readonly signer: SecretTokenSigner },
): Secret | undefined {
  const { token = '', namespace = '', 'ca.crt': ca } = secret.data ?? {};
  const hasCa = rootCa === undefined || ca === base64(rootCa);
  if (token !== '' && namespace !== '' && hasCa) return undefined;
  const next = deepCopy<Secret>(secret);
  next.data = {
    ...next.data,
    ...(rootCa !== undefined && { 'ca.crt': base64(rootCa) }),
    ...(namespace === '' && { namespace: base64(secret.metadata.namespace) }),
    ...(token === '' && { token: base64(signer.tokenFor(account, secret.metadata.name)) }),
  };
  next.metadata = {
    ...next.metadata,
    annotations: {
      ...next.metadata?.annotations,
      [ACCOUNT_NAME]: account.metadata.name,
      [ACCOUNT_UID]: account.metadata.uid,
    },
  };
  return next;
}
