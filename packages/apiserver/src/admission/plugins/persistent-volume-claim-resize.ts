import { type DeepReadonly, Quantity } from '@windlass/apimachinery';
import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import { StorageClass } from '@windlass/apimachinery/api/storage/v1';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden, isOf, objectOf, oldObjectOf } from '../request-kind.ts';

/** A claim grows only when it is bound and its class lets volumes grow. */
export function claimResize({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'PersistentVolumeClaimResize',
    handles: (request) => isOf(request, PersistentVolumeClaim, ['UPDATE']),
    async validate(request) {
      const claim = objectOf(request, PersistentVolumeClaim);
      const old = oldObjectOf(request, PersistentVolumeClaim);
      if (sizeOf(claim).compare(sizeOf(old)) <= 0) return;
      if (old.status?.phase !== 'Bound')
        throw forbidden(request, 'Only bound persistent volume claims can be expanded');
      const name = claim.spec?.storageClassName ?? '';
      const found = name === '' ? undefined : await getOfKind(store, StorageClass, name);
      if (found?.allowVolumeExpansion !== true)
        throw forbidden(
          request,
          'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
        );
    },
  };
}

function sizeOf({ spec }: DeepReadonly<PersistentVolumeClaim>): Quantity {
  return Quantity.from(spec?.resources?.requests?.['storage'] ?? '0');
}
