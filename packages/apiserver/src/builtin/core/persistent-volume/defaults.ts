import type { PersistentVolume } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { setSourceDefaults } from '../../shared/volume-source-defaults.ts';
import { roundResources } from '../resource-lists.ts';

export function setVolumeDefaults(draft: DraftOf<PersistentVolume>): void {
  draft.spec ??= {};
  const { spec } = draft;
  roundResources(spec, 'capacity');
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  draft.status ??= {};
  draft.status.phase ||= 'Pending';
  if (spec.hostPath !== undefined) spec.hostPath.type ??= '';
  setSourceDefaults(spec);
}
