import { deepCopy, isConflict, isNotFound, keyOf } from '@windlass/apimachinery';
import { Secret, ServiceAccount } from '@windlass/apimachinery/api/core/v1';
import type { CachedKind, KindClient, Manager, ReconcileResult } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import {
  accountNameOf,
  completed,
  isMeant,
  type ReadonlyAccount,
  type ReadonlySecret,
  SecretTokenSigner,
  TOKEN_SECRET,
} from './secret-token.ts';

/** Other secrets are none of our business, and are not kept in memory. */
const OURS = { fieldSelector: `type=${TOKEN_SECRET}` } as const;
const BY_ACCOUNT = 'windlass.dev/token-secrets-by-account';

const accountKeyOf = (secret: ReadonlySecret): string =>
  `${secret.metadata.namespace}/${accountNameOf(secret) ?? ''}`;

/**
 * Fills secrets that ask for the token of a service account, and deletes those whose account is gone. Without a key
 * to sign with, it does nothing.
 */
export function addServiceAccountTokenController(manager: Manager, options: ControllerOptions): void {
  const { rootCa, serviceAccountKey } = options;
  if (serviceAccountKey === undefined) return;
  const content = { rootCa, signer: new SecretTokenSigner(serviceAccountKey) };
  new ServiceAccountTokenController(manager, content).register(manager, options);
}

interface TokenContent {
  readonly rootCa: string | undefined;
  readonly signer: SecretTokenSigner;
}

class ServiceAccountTokenController {
  readonly #accounts: KindClient<ServiceAccount>;
  readonly #live: Manager['client'];
  readonly #secrets: CachedKind<Secret>;
  readonly #content: TokenContent;
  /** Secrets that were deleted, with the accounts that may still name them. */
  readonly #gone = new Map<string, string>();

  constructor(manager: Manager, content: TokenContent) {
    this.#accounts = manager.objects(ServiceAccount);
    this.#live = manager.client;
    this.#secrets = manager.cluster.cache.kind(Secret, OURS);
    this.#secrets.addIndexers({ [BY_ACCOUNT]: (secret) => [accountKeyOf(secret)] });
    this.#content = content;
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(Secret, {
        ...OURS,
        predicates: [
          ({ type, object }) => {
            if (type === 'delete') this.#gone.set(keyOf(object), accountKeyOf(object));
            return true;
          },
        ],
      })
      .watches(ServiceAccount, (account) => this.#secrets.byIndex(BY_ACCOUNT, keyOf(account)).map(keyOf))
      .reconcile(
        async (key, { signal }) => {
          const secret = this.#secrets.find(key);
          try {
            if (secret !== undefined) await this.#tend(secret, signal);
            else await this.#forget(key, signal);
          } catch (error) {
            if (isConflict(error)) return { requeue: true } satisfies ReconcileResult;
            if (!isNotFound(error)) throw error;
          }
          return undefined;
        },
        { concurrency },
      );
  }

  async #tend(secret: ReadonlySecret, signal: AbortSignal): Promise<void> {
    if (accountNameOf(secret) === undefined) return;
    const secrets = this.#live.resource(Secret).namespace(secret.metadata.namespace);
    const account = await this.#accountOf(secret, signal);
    if (account === undefined) {
      await secrets.delete(secret.metadata.name, { preconditions: { uid: secret.metadata.uid }, signal });
      return;
    }
    const next = completed(secret, account, this.#content);
    // Refused if it has changed: a token that is there is never replaced.
    if (next !== undefined) await secrets.replace(next, { signal });
  }

  /** By the server's word before a secret is deleted. */
  async #accountOf(secret: ReadonlySecret, signal: AbortSignal): Promise<ReadonlyAccount | undefined> {
    const known = await this.#accounts.find(accountKeyOf(secret), { signal });
    if (known !== undefined && isMeant(secret, known)) return known;
    try {
      const live = await this.#accounts
        .live(secret.metadata.namespace)
        .get(accountNameOf(secret) ?? '', { signal });
      return isMeant(secret, live) ? live : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** An account does not name a secret that is gone. */
  async #forget(key: string, signal: AbortSignal): Promise<void> {
    const account = await this.#accounts.find(this.#gone.get(key) ?? '', { signal });
    const name = key.slice(key.indexOf('/') + 1);
    if (account?.secrets?.some((reference) => reference.name === name) === true) {
      const next = deepCopy<ServiceAccount>(account);
      next.secrets = (next.secrets ?? []).filter((reference) => reference.name !== name);
      await this.#accounts.update(next, { signal });
    }
    this.#gone.delete(key);
  }
}
