import type { Volume } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../resource/views.ts';

/** Persistent volumes have these sources too, some with more fields, none of which has a default. */
type Sources = Pick<DraftOf<Volume>, 'azureDisk' | 'hostPath' | 'iscsi'> & {
  rbd?: Pick<DraftOf<NonNullable<Volume['rbd']>>, 'pool' | 'user' | 'keyring'>;
  scaleIO?: Pick<DraftOf<NonNullable<Volume['scaleIO']>>, 'storageMode' | 'fsType'>;
};

/** Of sources that the volumes of pods and persistent ones share. */
export function setSourceDefaults({ azureDisk, iscsi, rbd, scaleIO }: Sources): void {
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default';
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.kind ??= 'Shared';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}
