import { timingSafeEqual } from 'node:crypto';
import { newUnauthorized } from '@windlass/apimachinery';
import { Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { TokenAuthenticator, TokenUser } from '../authenticators/bearer-token.ts';
import { serviceAccountGroups, serviceAccountUser } from '../service-account-name.ts';
import type { ServiceAccountTokens } from './service-account-tokens.ts';
import { unverifiedIssuer } from './unverified-issuer.ts';

const ISSUER = 'kubernetes/serviceaccount';
const CLAIM = 'kubernetes.io/serviceaccount/';
/** Somebody has taken such a token back, because nobody used it. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';

/**
 * Tokens of service accounts that are kept in a secret, and have no end of their own. One is good as long as the
 * secret holds this very token and its account is the same one.
 */
export class SecretTokens implements TokenAuthenticator {
  readonly #store: Store;
  readonly #tokens: ServiceAccountTokens;

  /** @param tokens whose key signs these too */
  constructor(store: Store, tokens: ServiceAccountTokens) {
    this.#store = store;
    this.#tokens = tokens;
  }

  async authenticateToken(token: string): Promise<TokenUser | undefined> {
    if (unverifiedIssuer(token) !== ISSUER) return undefined;
    const payload = await this.#verify(token);
    const claim = (name: string): string => {
      const value = payload[CLAIM + name];
      if (typeof value !== 'string' || value === '') throw refused();
      return value;
    };
    const namespace = claim('namespace');
    const name = claim('service-account.name');
    const uid = claim('service-account.uid');
    if (payload.sub !== serviceAccountUser(namespace, name)) throw refused();
    const [secret, account] = await Promise.all([
      getOfKind(this.#store, Secret, claim('secret.name'), namespace),
      getOfKind(this.#store, ServiceAccount, name, namespace),
    ]);
    const { metadata, data } = secret ?? {};
    if (metadata === undefined || metadata.deletionTimestamp !== undefined) throw refused();
    if (metadata.labels?.[INVALID_SINCE] !== undefined || !isSame(data?.['token'] ?? '', token))
      throw refused();
    const owner = account?.metadata;
    if (owner?.uid !== uid || owner.deletionTimestamp !== undefined) throw refused();
    return {
      user: { name: serviceAccountUser(namespace, name), uid, groups: serviceAccountGroups(namespace) },
    };
  }

  async #verify(token: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(token, this.#tokens.key.publicKey, {
        algorithms: ['RS256'],
        issuer: ISSUER,
        requiredClaims: ['sub'],
      });
      return payload;
    } catch (error) {
      if (error instanceof errors.JOSEError) throw refused();
      throw error;
    }
  }
}

function isSame(stored: string, token: string): boolean {
  const [a, b] = [Buffer.from(stored, 'base64'), Buffer.from(token)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function refused(): Error {
  return newUnauthorized('Unauthorized');
}
