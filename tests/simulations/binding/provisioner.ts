// The provisioner of a driver that is not ours: it makes a volume where the scheduler says, or gives the choice back,
// and deletes volumes that nobody has any more.
import { isAlreadyExists, isBeingDeleted, isNotFound, SELECTED_NODE } from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { disk } from './disk.ts';

export const DRIVER = 'csi.example.com';
/** One in so many claims is refused where the scheduler wanted it. */
const REFUSES_ONE_IN = 4;

export function addProvisioner(manager: Manager): void {
  const claims = manager.objects(PersistentVolumeClaim);
  const volumes = manager.objects(PersistentVolume);
  manager
    .controller('provision')
    .for(PersistentVolumeClaim)
    .reconcile(async (key, { signal }) => {
      const claim = await claims.find(key, { signal });
      if (claim === undefined || isBeingDeleted(claim) || (claim.spec?.volumeName ?? '') !== '') return;
      const { name, namespace, uid, resourceVersion, annotations } = claim.metadata;
      const node = annotations?.[SELECTED_NODE];
      if (node === undefined || claim.spec?.storageClassName !== 'made') return;
      if (manager.random.int(REFUSES_ONE_IN) === 0) {
        const refusal = { metadata: { uid, resourceVersion, annotations: { [SELECTED_NODE]: null } } };
        await claims.patch(key, refusal, { signal });
        return;
      }
      const made = disk(`pvc-${uid}`, 'made', node.replace('n-', ''), 'Delete');
      const claimRef = { namespace, name, uid };
      try {
        await volumes.create({ ...made, spec: { ...made.spec, claimRef } }, { signal });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    });
  manager
    .controller('delete')
    .for(PersistentVolume)
    .reconcile(async (key, { signal }) => {
      const volume = await volumes.find(key, { signal });
      if (volume?.status?.phase !== 'Released') return;
      if (volume.spec?.persistentVolumeReclaimPolicy !== 'Delete') return;
      try {
        await volumes.delete(key, { signal });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    });
}
