import { type DeepReadonly, deepEqual } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { RuntimeClass } from '@windlass/apimachinery/api/node/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden, isOf } from '../resource-of.ts';

/** A pod pays for its runtime and goes where that runs: overhead, node selector and tolerations. */
export function runtimeClass({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: (request) => isOf(request, '', 'pods', ['CREATE']),
    async mutate(request) {
      const { spec } = request.object as Pod;
      if (spec === undefined) return;
      const name = spec.runtimeClassName ?? '';
      if (name === '') {
        if (spec.overhead !== undefined && Object.keys(spec.overhead).length > 0)
          throw forbidden(
            request,
            'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
          );
        return;
      }
      const found = (await store.get(`/node.k8s.io/runtimeclasses/${name}`))?.object as
        | DeepReadonly<RuntimeClass>
        | undefined;
      if (found === undefined)
        throw forbidden(request, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
      const overhead = found.overhead?.podFixed;
      if (overhead !== undefined) {
        if (spec.overhead !== undefined && !deepEqual(spec.overhead, overhead))
          throw forbidden(
            request,
            "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
          );
        spec.overhead = { ...overhead };
      }
      for (const [key, value] of Object.entries(found.scheduling?.nodeSelector ?? {})) {
        const asked = spec.nodeSelector?.[key];
        if (asked !== undefined && asked !== value)
          throw forbidden(
            request,
            `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${asked}`,
          );
        spec.nodeSelector = { ...spec.nodeSelector, [key]: value };
      }
      const known = spec.tolerations ?? [];
      const added = (found.scheduling?.tolerations ?? []).filter(
        (toleration) => !known.some((other) => deepEqual(other, toleration)),
      );
      if (added.length > 0) spec.tolerations = [...known, ...structuredClone(added as typeof known)];
    },
  };
}
