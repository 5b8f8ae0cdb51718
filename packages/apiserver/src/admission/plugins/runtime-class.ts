import { deepEqual, encodeJson, failureStatus, StatusError } from '@windlass/apimachinery';
import { Pod, type Toleration } from '@windlass/apimachinery/api/core/v1';
import { RuntimeClass } from '@windlass/apimachinery/api/node/v1';
import type { Store } from '../../storage/store.ts';
import { getOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden, isOf, objectOf } from '../request-kind.ts';

/** A pod pays for its runtime and goes where that runs: overhead, node selector and tolerations. */
export function runtimeClass({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'RuntimeClass',
    handles: (request) => isOf(request, Pod, ['CREATE']),
    async mutate(request) {
      const { spec } = objectOf(request, Pod);
      if (spec === undefined) return;
      const name = spec.runtimeClassName;
      // Upstream asks for the class of that name, and hands on what its client says.
      if (name === '') throw new StatusError(failureStatus(500, '', 'resource name may not be empty'));
      if (name === undefined) {
        if (spec.overhead !== undefined && Object.keys(spec.overhead).length > 0)
          throw forbidden(
            request,
            'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
          );
        return;
      }
      const found = await getOfKind(store, RuntimeClass, name);
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
      const selector = { ...spec.nodeSelector };
      for (const [key, value] of Object.entries(found.scheduling?.nodeSelector ?? {})) {
        const asked = selector[key];
        if (asked !== undefined && asked !== value)
          throw forbidden(
            request,
            `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${asked}`,
          );
        selector[key] = value;
        spec.nodeSelector = selector;
      }
      const known = spec.tolerations ?? [];
      const textOf = (toleration: object): string => encodeJson(toleration, { stable: true });
      const texts = new Set(known.map(textOf));
      const added = (found.scheduling?.tolerations ?? []).filter(
        (toleration) => !texts.has(textOf(toleration)),
      );
      if (added.length > 0)
        spec.tolerations = [...known, ...added.map((toleration): Toleration => ({ ...toleration }))];
    },
  };
}
