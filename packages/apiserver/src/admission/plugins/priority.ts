import type { DeepReadonly } from '@windlass/apimachinery';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import { PriorityClass } from '@windlass/apimachinery/api/scheduling/v1';
import type { Store } from '../../storage/store.ts';
import { getOfKind, listOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOf, isOfKind, objectOf } from '../request-kind.ts';

/** A pod's priority is its class's, and only one class is the default. */
export function priority({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'Priority',
    handles: (request) =>
      isOf(request, Pod, ['CREATE']) || isOf(request, PriorityClass, ['CREATE', 'UPDATE']),
    async mutate(request) {
      if (isOfKind(request, Pod)) await setPriority(store, request, objectOf(request, Pod));
    },
    async validate(request) {
      if (!isOfKind(request, PriorityClass)) return;
      const wanted = objectOf(request, PriorityClass);
      if (wanted.globalDefault !== true) return;
      const known = await defaultPriorityClass(store);
      // One that is created anew is refused for its like, too.
      const isSame = request.operation === 'UPDATE' && known?.metadata?.name === wanted.metadata?.name;
      if (known !== undefined && !isSame)
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
  const found = name === '' ? await defaultPriorityClass(store) : await getOfKind(store, PriorityClass, name);
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
  let lowest: DeepReadonly<PriorityClass> | undefined;
  for (const candidate of await listOfKind(store, PriorityClass)) {
    if (
      candidate.globalDefault === true &&
      (lowest === undefined || (candidate.value ?? 0) < (lowest.value ?? 0))
    )
      lowest = candidate;
  }
  return lowest;
}
