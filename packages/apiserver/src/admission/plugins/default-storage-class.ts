import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isOf, objectOf } from '../request-kind.ts';
import { defaultClass } from './default-class.ts';

const MARKS = [
  'storageclass.kubernetes.io/is-default-class',
  'storageclass.beta.kubernetes.io/is-default-class',
];
const OLD_CLASS = 'volume.beta.kubernetes.io/storage-class';

/** A claim that names no class gets the default one. One that names the empty class means none. */
export function defaultStorageClass({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'DefaultStorageClass',
    handles: (request) => isOf(request, PersistentVolumeClaim, ['CREATE']),
    async mutate(request) {
      const claim = objectOf(request, PersistentVolumeClaim);
      if (claim.spec === undefined || claim.spec.storageClassName !== undefined) return;
      if (claim.metadata?.annotations?.[OLD_CLASS] !== undefined) return;
      const name = await defaultClass(store, StorageClass, (annotations) =>
        MARKS.some((mark) => annotations[mark] === 'true'),
      );
      if (name !== undefined) claim.spec.storageClassName = name;
    },
  };
}
