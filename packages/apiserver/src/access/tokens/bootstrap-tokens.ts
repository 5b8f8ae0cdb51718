import { createHash, timingSafeEqual } from 'node:crypto';
import {
  BOOTSTRAP_TOKEN_NAMESPACE,
  BOOTSTRAPPERS,
  type BootstrapToken,
  bootstrapTokenSecretName,
  isBootstrapGroup,
  isBootstrapTokenExpired,
  parseBootstrapToken,
  readBootstrapToken,
} from '@windlass/apimachinery';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { TokenAuthenticator, TokenUser } from '../authenticators/bearer-token.ts';
import { AUTHENTICATED } from '../user.ts';

/** Tokens by which machines that are not yet nodes ask for a certificate. One ends with its secret, or at its time. */
export class BootstrapTokens implements TokenAuthenticator {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async authenticateToken(token: string): Promise<TokenUser | undefined> {
    const given = parseBootstrapToken(token);
    if (given === undefined) return undefined;
    const known = await this.#find(given.id);
    // Also without one: the time of an answer does not tell which tokens there are.
    const isRight = isSame(known?.secret ?? '', given.secret);
    if (known === undefined || !isRight || !this.#mayAuthenticate(known)) return undefined;
    return {
      user: {
        name: `system:bootstrap:${known.id}`,
        groups: [...new Set([BOOTSTRAPPERS, ...known.extraGroups])].toSorted().concat(AUTHENTICATED),
      },
    };
  }

  async #find(id: string): Promise<BootstrapToken | undefined> {
    const name = bootstrapTokenSecretName(id);
    const secret = await getOfKind(this.#store, Secret, name, BOOTSTRAP_TOKEN_NAMESPACE);
    const isThere = secret !== undefined && secret.metadata?.deletionTimestamp === undefined;
    return isThere ? readBootstrapToken(secret) : undefined;
  }

  #mayAuthenticate(token: BootstrapToken): boolean {
    return (
      token.usages.includes('authentication') &&
      token.extraGroups.every(isBootstrapGroup) &&
      !isBootstrapTokenExpired(token, this.#clock.now())
    );
  }
}

function isSame(stored: string, given: string): boolean {
  return timingSafeEqual(digestOf(stored), digestOf(given));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
