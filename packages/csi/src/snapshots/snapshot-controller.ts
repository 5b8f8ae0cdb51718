import { type DeepReadonly, keyOf } from '@windlass/apimachinery';
import { PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import { BY_CLAIM, BY_OWNER, BY_SNAPSHOT, SnapshotBinding } from './snapshot-binding.ts';
import {
  SNAPSHOT_GROUP,
  VolumeSnapshot,
  VolumeSnapshotClass,
  VolumeSnapshotContent,
} from './volume-snapshot.ts';

/** Which snapshots a controller takes care of. */
export interface SnapshotControllerOptions {
  /** Those of this driver alone. @default those of all drivers */
  readonly driver?: string | undefined;
  /** Of the controller. @default 'snapshot-controller' */
  readonly name?: string | undefined;
  /** How many snapshots are worked on at a time. @default 10 */
  readonly concurrency?: number | undefined;
}

/**
 * Makes a VolumeSnapshotContent for each VolumeSnapshot, binds those that are given, tells snapshots what their
 * drivers say, and protects what is needed: what the snapshot-controller does. The driver's side is `addSnapshotter`,
 * or the csi-snapshotter sidecar.
 */
export function addSnapshotController(manager: Manager, options: SnapshotControllerOptions = {}): void {
  const { driver, name = 'snapshot-controller', concurrency = 10 } = options;
  manager.objects(PersistentVolumeClaim).addIndex(BY_SNAPSHOT, snapshotOf);
  manager.objects(VolumeSnapshot).addIndex(BY_CLAIM, claimOf);
  manager.objects(VolumeSnapshotContent).addIndex(BY_OWNER, ownerOf);
  const binding = new SnapshotBinding(manager, driver);
  manager
    .controller(name)
    .for(VolumeSnapshot)
    .watches(VolumeSnapshotContent, ownerOf)
    // A snapshot that is to go waits for the claims that are made of it; others may wait for this claim.
    .watches(PersistentVolumeClaim, (claim) => [...snapshotOf(claim), ...binding.waiting])
    .watches(VolumeSnapshotClass, () => binding.waiting)
    .reconcile((key, context) => binding.reconcile(key, context), { concurrency });
}

/** The snapshot that a claim's volume is to be made of. */
export function snapshotOf({ metadata, spec }: DeepReadonly<PersistentVolumeClaim>): string[] {
  const source = spec?.dataSourceRef ?? spec?.dataSource;
  if (source?.apiGroup !== SNAPSHOT_GROUP || source.kind !== 'VolumeSnapshot') return [];
  return [keyOf({ metadata: { namespace: metadata?.namespace ?? '', name: source.name } })];
}

function claimOf({ metadata, spec }: DeepReadonly<VolumeSnapshot>): string[] {
  const name = spec.source.persistentVolumeClaimName;
  return name === undefined ? [] : [keyOf({ metadata: { namespace: metadata?.namespace ?? '', name } })];
}

function ownerOf({ spec }: DeepReadonly<VolumeSnapshotContent>): string[] {
  const { namespace = '', name = '' } = spec.volumeSnapshotRef;
  return name === '' ? [] : [keyOf({ metadata: { namespace, name } })];
}
