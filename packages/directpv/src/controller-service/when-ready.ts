import { type Call, GrpcError } from '@windlass/csi';
import type { ServedMethods } from './controller-service.ts';

/**
 * Answers UNAVAILABLE until the caches are filled: before that every volume would seem to be missing. What the service
 * can do is always told.
 */
export function whenReady(service: ServedMethods, isReady: () => boolean): ServedMethods {
  const guard =
    <Request, Answer>(method: (request: Request, call: Call) => Promise<Answer>) =>
    async (request: Request, call: Call): Promise<Answer> => {
      if (!isReady())
        throw new GrpcError('UNAVAILABLE', 'the controller does not know its drives yet; try again');
      return method(request, call);
    };
  return {
    createVolume: guard(service.createVolume),
    deleteVolume: guard(service.deleteVolume),
    controllerExpandVolume: guard(service.controllerExpandVolume),
    validateVolumeCapabilities: guard(service.validateVolumeCapabilities),
    controllerGetVolume: guard(service.controllerGetVolume),
    listVolumes: guard(service.listVolumes),
    createSnapshot: guard(service.createSnapshot),
    deleteSnapshot: guard(service.deleteSnapshot),
    listSnapshots: guard(service.listSnapshots),
    getSnapshot: guard(service.getSnapshot),
    getCapacity: guard(service.getCapacity),
    controllerGetCapabilities: service.controllerGetCapabilities,
  };
}
