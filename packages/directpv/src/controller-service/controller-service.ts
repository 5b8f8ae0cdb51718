import { type Cached, isConflict, isNotFound, isTooManyRequests } from '@windlass/apimachinery';
import { DEADLINE_EXCEEDED, isCancelled, WindlassError } from '@windlass/base';
import { TransportError } from '@windlass/client';
import type { ControllerService, ControllerServiceCapabilityRPCType } from '@windlass/csi';
import { GrpcError } from '@windlass/csi';
import { type DirectPVVolume, isVolumeId } from '../resources/index.ts';
import { type ControllerContext, findLive } from './context.ts';
import { createSnapshot, deleteSnapshot, getSnapshot, listSnapshots } from './copies/snapshots.ts';
import { createVolume } from './create-volume.ts';
import { conditionOf, toCsiVolume } from './csi-volume.ts';
import { deleteVolume } from './delete-volume.ts';
import { ContentionError, DriveGoneError } from './errors.ts';
import { expandVolume } from './expand-volume.ts';
import { isGoing, listVolumes } from './list-volumes.ts';
import { capabilityProblem, parseCreateVolume, parseParameters, parseRange } from './volume-request.ts';

const CAPABILITIES: readonly ControllerServiceCapabilityRPCType[] = [
  'CREATE_DELETE_VOLUME',
  'LIST_VOLUMES',
  'CREATE_DELETE_SNAPSHOT',
  'LIST_SNAPSHOTS',
  'GET_SNAPSHOT',
  'CLONE_VOLUME',
  'GET_CAPACITY',
  'EXPAND_VOLUME',
  'GET_VOLUME',
  'VOLUME_CONDITION',
  'SINGLE_NODE_MULTI_WRITER',
];

/** The methods that the driver has. Every other method of the service answers UNIMPLEMENTED. */
export type ServedMethods = Required<
  Pick<
    ControllerService,
    | 'createVolume'
    | 'deleteVolume'
    | 'controllerExpandVolume'
    | 'validateVolumeCapabilities'
    | 'controllerGetVolume'
    | 'listVolumes'
    | 'createSnapshot'
    | 'deleteSnapshot'
    | 'listSnapshots'
    | 'getSnapshot'
    | 'getCapacity'
    | 'controllerGetCapabilities'
  >
>;

/** CSI's controller service. Any number of them may work on one cluster at the same time. */
export function controllerService(context: ControllerContext): ServedMethods {
  const { ledger } = context;
  return {
    createVolume: async (request, { signal }) => {
      const wanted = parseCreateVolume(request);
      return answered(createVolume(context, wanted, signal));
    },

    deleteVolume: async ({ volumeId }, { signal }) => {
      requireId(volumeId);
      if (isVolumeId(volumeId)) await answered(deleteVolume(context, volumeId, signal));
      return {};
    },

    controllerExpandVolume: async (request, { signal }) => {
      const { volumeId, capacityRange, volumeCapability } = request;
      requireId(volumeId);
      if (capacityRange === undefined) throw invalid('the request names no size (capacity_range)');
      const problem = volumeCapability === undefined ? undefined : capabilityProblem([volumeCapability]);
      if (problem !== undefined) throw invalid(problem);
      return answered(expandVolume(context, volumeId, parseRange(capacityRange), signal));
    },

    validateVolumeCapabilities: async (request, { signal }) => {
      const { volumeId, volumeCapabilities, volumeContext, parameters, mutableParameters } = request;
      requireId(volumeId);
      if (volumeCapabilities.length === 0)
        throw invalid('the request says nothing of how the volume is to be used (volume_capabilities)');
      await answered(findVolume(context, volumeId, signal));
      const problem = capabilityProblem(volumeCapabilities);
      if (problem !== undefined) return { message: problem };
      return { confirmed: { volumeContext, volumeCapabilities, parameters, mutableParameters } };
    },

    controllerGetVolume: async ({ volumeId }, { signal }) => {
      requireId(volumeId);
      const volume = await answered(findVolume(context, volumeId, signal));
      const drive = ledger.get(volume.status.fsuuid);
      return { volume: toCsiVolume(volume, drive), status: { volumeCondition: conditionOf(volume, drive) } };
    },

    listVolumes: async (request, { signal }) => answered(listVolumes(context, request, signal)),

    createSnapshot: async (request, { signal }) => answered(createSnapshot(context, request, signal)),

    deleteSnapshot: async ({ snapshotId }, { signal }) => {
      await answered(deleteSnapshot(context, snapshotId, signal));
      return {};
    },

    listSnapshots: async (request, { signal }) => answered(listSnapshots(context, request, signal)),

    getSnapshot: async ({ snapshotId }, { signal }) => ({
      snapshot: await answered(getSnapshot(context, snapshotId, signal)),
    }),

    getCapacity: async ({ volumeCapabilities, parameters, accessibleTopology }) => {
      const criteria = parseParameters(parameters);
      if (capabilityProblem(volumeCapabilities) !== undefined)
        return { availableCapacity: 0, maximumVolumeSize: 0 };
      const { total, largest } = ledger.index.capacity(accessibleTopology?.segments ?? {}, criteria);
      return { availableCapacity: total, maximumVolumeSize: largest };
    },

    controllerGetCapabilities: async () => ({
      capabilities: CAPABILITIES.map((type) => ({ rpc: { type } })),
    }),
  };
}

async function findVolume(
  context: ControllerContext,
  id: string,
  signal: AbortSignal,
): Promise<Cached<DirectPVVolume>> {
  // Another replica may have made it this moment, so that the cache alone does not say that there is none.
  const volume = isVolumeId(id)
    ? ((await context.volumes.find(id, { signal })) ?? (await findLive(context, id, signal)))
    : undefined;
  if (volume === undefined || isGoing(volume))
    throw new GrpcError('NOT_FOUND', `volume ${JSON.stringify(id)} does not exist`);
  return volume;
}

/** What went wrong, in the codes by which callers decide whether and how soon to try again. */
async function answered<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof GrpcError || isCancelled(error)) throw error;
    const message = error instanceof Error ? error.message : String(error);
    // What was there a moment ago has gone: another call is at work on the same volume or drive.
    if (error instanceof ContentionError || error instanceof DriveGoneError || isNotFound(error))
      throw new GrpcError('ABORTED', message, error);
    if (isConflict(error)) throw new GrpcError('ABORTED', message, error);
    if (error instanceof WindlassError && error.code === DEADLINE_EXCEEDED)
      throw new GrpcError('DEADLINE_EXCEEDED', message, error);
    if (error instanceof TransportError || isTooManyRequests(error))
      throw new GrpcError('UNAVAILABLE', `the API server does not answer: ${message}`, error);
    throw new GrpcError('INTERNAL', message, error);
  }
}

function requireId(volumeId: string): void {
  if (volumeId === '') throw invalid('the request names no volume (volume_id)');
}

function invalid(message: string): GrpcError {
  return new GrpcError('INVALID_ARGUMENT', message);
}
