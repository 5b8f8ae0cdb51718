import {
  type Cached,
  compareQuantities,
  type DeepReadonly,
  isBeingDeleted,
  isNotFound,
  Quantity,
} from '@windlass/apimachinery';
import { PersistentVolume, PersistentVolumeClaim } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import type { MessageInit } from '@windlass/grpc';
import type { VolumeContentSource } from '../generated/csi.ts';
import type { DriverFacts } from '../sidecar/driver-facts.ts';
import { NotYetError, SidecarError } from '../sidecar/errors.ts';
import { annotation } from '../sidecar/names.ts';
import { ALLOW_MODE_CHANGE } from '../snapshots/names.ts';
import { SNAPSHOT_GROUP, VolumeSnapshot, VolumeSnapshotContent } from '../snapshots/volume-snapshot.ts';

type Claim = Cached<PersistentVolumeClaim>;

/**
 * What a claim's volume is to be made of, in the words of the protocol; undefined for one that begins empty. Read
 * from the server each time: few claims have a source, and a cluster may have no definitions of snapshots.
 * @throws SidecarError that says why it cannot be made
 */
export async function contentSourceOf(
  client: Client,
  claim: Claim,
  driver: DriverFacts,
  signal: AbortSignal,
): Promise<MessageInit<VolumeContentSource> | undefined> {
  const { dataSource, dataSourceRef } = claim.spec ?? {};
  const source = dataSourceRef ?? dataSource;
  if (source === undefined) return undefined;
  const namespace = dataSourceRef?.namespace ?? claim.metadata.namespace;
  if (namespace !== claim.metadata.namespace)
    throw new SidecarError(`the claim's source is in namespace ${namespace}; it must be in the claim's own`);
  const facts = { client, claim, driver, name: source.name, signal };
  const group = source.apiGroup ?? '';
  if (group === '' && source.kind === 'PersistentVolumeClaim') return cloneOf(facts);
  if (group === SNAPSHOT_GROUP && source.kind === 'VolumeSnapshot') return restoreOf(facts);
  throw new SidecarError(`volumes made of a ${source.kind} (${source.name}) are not supported`);
}

/** Whether its volume is made of something. */
export function hasSource({ spec }: DeepReadonly<PersistentVolumeClaim>): boolean {
  return (spec?.dataSourceRef ?? spec?.dataSource) !== undefined;
}

interface SourceFacts {
  readonly client: Client;
  readonly claim: Claim;
  readonly driver: DriverFacts;
  readonly name: string;
  readonly signal: AbortSignal;
}

async function cloneOf({ client, claim, driver, name, signal }: SourceFacts) {
  if (!driver.controller.has('CLONE_VOLUME'))
    throw new SidecarError(`driver ${driver.name} does not clone volumes (CLONE_VOLUME)`);
  const claims = client.resource(PersistentVolumeClaim).namespace(claim.metadata.namespace);
  const source = await found(claims.get(name, { signal }), `claim ${name}, which is to be cloned,`);
  if (isBeingDeleted(source))
    throw new SidecarError(`claim ${name}, which is to be cloned, is being deleted`);
  const volumeName = source.spec?.volumeName ?? '';
  if (volumeName === '' || source.status?.phase !== 'Bound')
    throw new NotYetError(`claim ${name}, which is to be cloned, has no volume yet`);
  const volume = await found(
    client.resource(PersistentVolume).get(volumeName, { signal }),
    `volume ${volumeName} of claim ${name}`,
  );
  if (volume.spec?.csi?.driver !== driver.name)
    throw new SidecarError(
      `volume ${volumeName} is of driver ${volume.spec?.csi?.driver ?? 'none'}; a clone stays with its driver`,
    );
  if (volume.spec.claimRef?.uid !== source.metadata.uid)
    throw new SidecarError(`volume ${volumeName} belongs to another claim than ${name}`);
  requireMode(claim, volume.spec.volumeMode, `claim ${name}`);
  requireSize(claim, volume.spec.capacity?.['storage'] ?? '0', `volume ${volumeName}`);
  return { volume: { volumeId: volume.spec.csi.volumeHandle } };
}

async function restoreOf({ client, claim, driver, name, signal }: SourceFacts) {
  if (!driver.controller.has('CREATE_DELETE_SNAPSHOT'))
    throw new SidecarError(`driver ${driver.name} does not make snapshots (CREATE_DELETE_SNAPSHOT)`);
  const snapshots = client.resource(VolumeSnapshot).namespace(claim.metadata.namespace);
  const snapshot = await found(snapshots.get(name, { signal }), `snapshot ${name}`);
  if (isBeingDeleted(snapshot)) throw new SidecarError(`snapshot ${name} is being deleted`);
  const contentName = snapshot.status?.boundVolumeSnapshotContentName ?? '';
  if (snapshot.status?.readyToUse !== true || contentName === '')
    throw new NotYetError(`snapshot ${name} is not ready to use`);
  const content = await found(
    client.resource(VolumeSnapshotContent).get(contentName, { signal }),
    `VolumeSnapshotContent ${contentName} of snapshot ${name}`,
  );
  const { spec, status } = content;
  if (spec.volumeSnapshotRef.uid !== snapshot.metadata.uid)
    throw new SidecarError(`VolumeSnapshotContent ${contentName} is not of snapshot ${name}`);
  if (spec.driver !== driver.name)
    throw new SidecarError(
      `snapshot ${name} is of driver ${spec.driver}; it can be restored with that driver only`,
    );
  const snapshotId = status?.snapshotHandle ?? '';
  if (snapshotId === '') throw new NotYetError(`VolumeSnapshotContent ${contentName} has no snapshot yet`);
  if (annotation(content, ALLOW_MODE_CHANGE) !== 'true')
    requireMode(claim, spec.sourceVolumeMode, `snapshot ${name}`);
  requireSize(claim, Quantity.of(status?.restoreSize ?? 0, 'BinarySI').toString(), `snapshot ${name}`);
  return { snapshot: { snapshotId } };
}

function requireMode(claim: Claim, mode: string | undefined, what: string): void {
  const wanted = claim.spec?.volumeMode ?? 'Filesystem';
  if (mode === undefined || mode === wanted) return;
  throw new SidecarError(`${what} is of volume mode ${mode}, the claim asks for ${wanted}`);
}

function requireSize(claim: Claim, least: string, what: string): void {
  const wanted = claim.spec?.resources?.requests?.['storage'] ?? '0';
  if (compareQuantities(wanted, least) >= 0) return;
  throw new SidecarError(`the claim asks for ${wanted}, and ${what}, which it is made of, needs ${least}`);
}

async function found<T>(work: Promise<T>, what: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isNotFound(error)) throw new NotYetError(`${what} is not there`, error);
    throw error;
  }
}
