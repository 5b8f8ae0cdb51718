import {
  claimsOfPod,
  controllerOf,
  controllerReferenceTo,
  deepCopy,
  isBeingDeleted,
  keyOf,
} from '@windlass/apimachinery';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import { ForeignClaimError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { withKind } from '../shared/pod-control.ts';
import type { ReadonlyPod } from '../shared/pods.ts';

const hasEphemeral = ({ spec }: ReadonlyPod): boolean =>
  (spec?.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);

/** The claim for one volume of a pod, as its template has it. The pod owns it, and takes it along. */
export function ephemeralClaim(pod: ReadonlyPod, volume: string, name: string): PersistentVolumeClaim {
  const template = pod.spec?.volumes?.find((each) => each.name === volume)?.ephemeral?.volumeClaimTemplate;
  const { labels, annotations } = template?.metadata ?? {};
  return {
    metadata: {
      name,
      namespace: pod.metadata.namespace,
      ownerReferences: [controllerReferenceTo(pod, Pod)],
      ...(labels !== undefined && { labels: { ...labels } }),
      ...(annotations !== undefined && { annotations: { ...annotations } }),
    },
    ...(template?.spec !== undefined && {
      spec: deepCopy<NonNullable<PersistentVolumeClaim['spec']>>(template.spec),
    }),
  };
}

/** Makes claims that live as long as their pod. */
export function addEphemeralVolumeController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
  const pods = manager.objects(Pod);
  const claims = manager.objects(PersistentVolumeClaim);
  manager
    .controller(name)
    .for(Pod, { predicates: [({ type, object }) => type === 'add' && hasEphemeral(object)] })
    // A claim that somebody has deleted is made again.
    .watches(
      PersistentVolumeClaim,
      (claim) => {
        const owner = controllerOf(claim);
        return owner?.kind === 'Pod' ? [`${claim.metadata.namespace}/${owner.name}`] : [];
      },
      { predicates: [({ type }) => type === 'delete'] },
    )
    .reconcile(
      async (key, { signal, recorder }) => {
        const pod = await pods.find(key, { signal });
        if (pod === undefined || isBeingDeleted(pod)) return;
        for (const { claim: claimName, volume, isEphemeral } of claimsOfPod(pod)) {
          if (!isEphemeral) continue;
          try {
            const claim = await claims.find(`${pod.metadata.namespace}/${claimName}`, { signal });
            if (claim === undefined) await claims.create(ephemeralClaim(pod, volume, claimName), { signal });
            else if (controllerOf(claim)?.uid !== pod.metadata.uid)
              throw new ForeignClaimError(keyOf(claim), keyOf(pod));
          } catch (error) {
            recorder.warning(
              withKind(pod, Pod),
              'FailedBinding',
              `ephemeral volume ${volume}: ${toError(error).message}`,
            );
            throw error;
          }
        }
      },
      { concurrency, recorder: manager.recorder('ephemeral_volume') },
    );
}
