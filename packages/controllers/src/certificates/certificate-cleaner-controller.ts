import { isUidConflict, keyOf } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { cleanUpTime } from './clean-up.ts';

/** Deletes requests that nobody needs any more. */
export function addCertificateCleanerController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const requests = manager.objects(CertificateSigningRequest);
  const { clock } = manager;
  manager
    .controller(name)
    .for(CertificateSigningRequest)
    .reconcile(
      async (key, { signal }) => {
        const request = await requests.find(key, { signal });
        if (request === undefined) return undefined;
        const at = cleanUpTime(request);
        if (at === Number.POSITIVE_INFINITY) return undefined;
        if (at >= clock.now()) return { requeueAfterMs: at - clock.now() + 1 };
        try {
          await requests.delete(keyOf(request), { preconditions: { uid: request.metadata.uid }, signal });
        } catch (error) {
          // Another one has its name by now, and is looked at by its own event.
          if (!isUidConflict(error)) throw error;
        }
        return undefined;
      },
      { concurrency },
    );
}
