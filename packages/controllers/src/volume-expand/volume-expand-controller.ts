import { deepCopy, isConflict } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { Manager, ObjectEvent } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { recordEvent } from '../shared/event-note.ts';
import { annotationsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { expansionOf } from './expansion.ts';

const RESIZER = 'volume.kubernetes.io/storage-resizer';

/** Only what a claim asks for, and what it has got, matters. */
function sizesChanged(event: ObjectEvent<PersistentVolumeClaim>): boolean {
  if (event.type !== 'update') return event.type === 'add';
  const sizes = ({ spec, status }: typeof event.object): string =>
    `${spec?.resources?.requests?.['storage']} ${status?.capacity?.['storage']} ${status?.phase}`;
  return sizes(event.old) !== sizes(event.object);
}

/** Hands claims that shall grow over to who can make their volumes bigger. */
export function addVolumeExpandController(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const claims = manager.objects(PersistentVolumeClaim);
  const volumes = manager.objects(PersistentVolume);
  manager
    .controller(name)
    .for(PersistentVolumeClaim, { predicates: [sizesChanged] })
    .reconcile(
      async (key, { signal, recorder }) => {
        const claim = await claims.find(key, { signal });
        const volume =
          claim?.spec?.volumeName === undefined
            ? undefined
            : await volumes.find(claim.spec.volumeName, { signal });
        const expansion = claim && volume && expansionOf(claim, volume);
        if (claim === undefined || expansion === undefined) return undefined;
        const { event, resizer } = expansion;
        recordEvent(recorder, withKind(claim, PersistentVolumeClaim), event);
        if (resizer === undefined || annotationsOf(claim)[RESIZER] === resizer) return undefined;
        const next = deepCopy<PersistentVolumeClaim>(claim);
        next.metadata = { ...next.metadata, annotations: { ...annotationsOf(claim), [RESIZER]: resizer } };
        try {
          await claims.update(next, { signal });
        } catch (error) {
          if (!isConflict(error)) throw error;
          return { requeue: true };
        }
        return undefined;
      },
      { concurrency, recorder: manager.recorder('volume_expand') },
    );
}
