import type { DeepReadonly } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOf } from '../resource-of.ts';

const PREFIX = '/scheduling.k8s.io/priorityclasses/';

/** A pod's priority is its class's, and only one class is the default. */
export function priority({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: (request) =>
      isOf(request, '', 'pods', ['CREATE']) ||
      isOf(request, 'scheduling.k8s.io', 'priorityclasses', ['CREATE', 'UPDATE']),
    async mutate(request) {
      if (request.definition.plural === 'pods') await setPriority(store, request, request.object as Pod);
    },
    async validate(request) {
      if (request.definition.plural !== 'priorityclasses') return;
      const wanted = request.object as PriorityClass;
      if (wanted.globalDefault !== true) return;
      const known = await defaultPriorityClass(store);
      if (known !== undefined && known.metadata?.name !== wanted.metadata?.name)
        throw forbidden(
          request,
          `PriorityClass ${known.metadata?.name} is already marked as default. Only one default can exist`,
        );
    },
  };
}

async function setPriority(store: Store, request: AdmissionRequest, { spec }: Pod): Promise<void> {
  if (spec === undefined) return;
  const name = spec.priorityClassName ?? '';
  const found =
    name === ''
      ? await defaultPriorityClass(store)
      : ((await store.get(PREFIX + name))?.object as DeepReadonly<PriorityClass> | undefined);
  if (name !== '' && found === undefined)
    throw forbidden(request, `no PriorityClass with name ${name} was found`);
  const value = found?.value ?? 0;
  if (spec.priority !== undefined && spec.priority !== value)
    throw forbidden(
      request,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
    );
  const policy = found?.preemptionPolicy ?? 'PreemptLowerPriority';
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
    throw forbidden(
      request,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  spec.priority = value;
  spec.preemptionPolicy = policy;
  const className = found?.metadata?.name;
  if (className !== undefined) spec.priorityClassName = className;
}

/** Of several, which a race may leave, the lowest. */
async function defaultPriorityClass(store: Store): Promise<DeepReadonly<PriorityClass> | undefined> {
  const { items } = await store.list(PREFIX);
  let lowest: DeepReadonly<PriorityClass> | undefined;
  for (const { object } of items) {
    const candidate = object as DeepReadonly<PriorityClass>;
    if (
      candidate.globalDefault === true &&
      (lowest === undefined || (candidate.value ?? 0) < (lowest.value ?? 0))
    )
      lowest = candidate;
  }
  return lowest;
}
