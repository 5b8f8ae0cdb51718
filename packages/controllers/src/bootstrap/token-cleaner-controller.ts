import {
  isBootstrapTokenExpired,
  isConflict,
  isNotFound,
  keyOf,
  readBootstrapToken,
} from '@windlass/apimachinery';
import { Secret } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { TOKEN_SECRETS } from './bootstrap-objects.ts';

/** Timers of more than some days are not exact. */
const LONGEST_MS = 24 * 3_600_000;

/** Deletes bootstrap tokens whose time is over. */
export function addTokenCleanerController(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const cached = manager.cluster.cache.kind(Secret, TOKEN_SECRETS);
  const secrets = manager.objects(Secret);
  const { clock } = manager;
  manager
    .controller(name)
    .for(Secret, { ...TOKEN_SECRETS, predicates: [({ type }) => type !== 'delete'] })
    .reconcile(
      async (key, { signal }) => {
        const secret = cached.find(key);
        const token = secret === undefined ? undefined : readBootstrapToken(secret);
        if (secret === undefined || token?.expiresAt === undefined) return undefined;
        if (!isBootstrapTokenExpired(token, clock.now()))
          return { requeueAfterMs: Math.min(LONGEST_MS, token.expiresAt - clock.now()) };
        // By its version: somebody may have given it more time.
        const { uid, resourceVersion } = secret.metadata;
        try {
          await secrets.delete(keyOf(secret), { preconditions: { uid, resourceVersion }, signal });
        } catch (error) {
          if (isConflict(error)) return { requeue: true };
          if (!isNotFound(error)) throw error;
        }
        return undefined;
      },
      { concurrency },
    );
}
