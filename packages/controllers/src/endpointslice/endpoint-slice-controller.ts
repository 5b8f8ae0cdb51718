import { type DeepReadonly, isBeingDeleted, keyOf, selectorFromLabels } from '@windlass/apimachinery';
import { Node, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { toError } from '@windlass/base';
import type { CachedKind, KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import type { ControllerOptions } from '../controller-options.ts';
import { annotationsOf, labelsOf, nameOf, namespaceOf, uidOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import type { FilledSlice } from './packing.ts';
import { endpointsMayChange, hasManagedEndpoints, servicesOf } from './service-pods.ts';
import { MANAGED_BY, MANAGER, SERVICE_NAME, sliceChanges } from './slices.ts';
import { LAST_CHANGE_TRIGGER_TIME, TriggerTimes } from './trigger-times.ts';

/** Keeps the slices of services that select pods. */
export class EndpointSliceController {
  readonly #services: KindClient<Service>;
  readonly #pods: KindClient<Pod>;
  readonly #nodes: CachedKind<Node>;
  readonly #slices: KindClient<EndpointSlice>;
  readonly #times = new TriggerTimes();

  constructor(manager: Manager, { name, concurrency }: ControllerOptions) {
    this.#services = manager.objects(Service);
    this.#pods = manager.objects(Pod);
    this.#nodes = manager.cluster.cache.kind(Node);
    this.#slices = manager.objects(EndpointSlice);
    const cachedServices = manager.cluster.cache.kind(Service);
    manager
      .controller(name)
      .for(Service)
      .watches(Pod, (pod) => servicesOf(cachedServices, pod), { predicates: [endpointsMayChange] })
      .watches(EndpointSlice, serviceOf)
      // Nodes are read from their cache, which must be filled; what happens to them changes no endpoint.
      .watches(Node, () => [], { predicates: [() => false] })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const service = await this.#services.find(key, { signal });
    if (service === undefined) this.#times.forget(key);
    if (service === undefined || !hasManagedEndpoints(service)) return undefined;
    const namespace = namespaceOf(service);
    const selector = selectorFromLabels(service.spec?.selector);
    const pods = selector.isEmpty ? [] : await this.#pods.list({ namespace, selector, signal });
    const existing = await this.#slices.list({
      namespace,
      selector: selectorFromLabels({ [SERVICE_NAME]: nameOf(service), [MANAGED_BY]: MANAGER }),
      signal,
    });
    const changes = sliceChanges({
      service,
      pods,
      existing: existing.filter((slice) => !isBeingDeleted(slice)),
      nodeOf: (name) => this.#nodes.find(name),
    });
    const triggered = this.#times.next(key, service, pods);
    try {
      if (!isBeingDeleted(service))
        for (const slice of changes.create) await this.#slices.create(stamped(slice, triggered), { signal });
      for (const slice of changes.update) await this.#slices.update(stamped(slice, triggered), { signal });
      for (const slice of changes.delete)
        await this.#slices.delete(keyOf(slice), { preconditions: { uid: uidOf(slice) }, signal });
    } catch (error) {
      recorder.warning(
        withKind(service, Service),
        'FailedToUpdateEndpointSlices',
        `Error updating Endpoint Slices for Service ${key}: ${toError(error).message}`,
      );
      throw error;
    }
    // What is missing is asked for with a growing delay; no event tells when the node comes.
    return changes.withoutNode.length > 0 ? { requeue: true } : undefined;
  }
}

function stamped(slice: FilledSlice, triggered: string | undefined): EndpointSlice {
  const { [LAST_CHANGE_TRIGGER_TIME]: _, ...annotations } = annotationsOf(slice);
  return {
    ...slice,
    metadata: {
      ...slice.metadata,
      annotations: {
        ...annotations,
        ...(triggered !== undefined && { [LAST_CHANGE_TRIGGER_TIME]: triggered }),
      },
    },
  };
}

/** Somebody else may have changed a slice of ours, or deleted it. */
function serviceOf(slice: DeepReadonly<EndpointSlice>): string[] {
  const { [SERVICE_NAME]: name, [MANAGED_BY]: manager } = labelsOf(slice);
  return name === undefined || manager !== MANAGER ? [] : [`${namespaceOf(slice)}/${name}`];
}
