import { type Cached, deepEqual, isBeingDeleted, keyOf, selectorFromLabels } from '@windlass/apimachinery';
import { Node, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { toError } from '@windlass/base';
import type {
  CachedKind,
  EventRecorder,
  KindClient,
  Manager,
  ObjectEvent,
  ReconcileContext,
  ReconcileOutcome,
} from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { annotationsOf, labelsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { addressTypesOf } from './endpoint.ts';
import type { FilledSlice } from './packing.ts';
import { endpointsMayChange, hasManagedEndpoints, type ReadonlyService, servicesOf } from './service-pods.ts';
import { MANAGED_BY, MANAGER, SERVICE_NAME, sliceChanges } from './slices.ts';
import { wantsZoneShares } from './topology-hints.ts';
import { LAST_CHANGE_TRIGGER_TIME, TriggerTimes } from './trigger-times.ts';
import { zoneFactsOf, zoneSharesOf } from './zone-shares.ts';

/** Keeps the slices of services that select pods. */
export function addEndpointSliceController(manager: Manager, options: ControllerOptions): void {
  new EndpointSliceController(manager).register(manager, options);
}

class EndpointSliceController {
  readonly #services: KindClient<Service>;
  readonly #pods: KindClient<Pod>;
  readonly #nodes: CachedKind<Node>;
  readonly #slices: KindClient<EndpointSlice>;
  readonly #times = new TriggerTimes();
  /** Services that have hints by the shares of zones: people hear when that begins and ends. */
  readonly #hinted = new Set<string>();

  constructor(manager: Manager) {
    this.#services = manager.objects(Service);
    this.#pods = manager.objects(Pod);
    this.#nodes = manager.cluster.cache.kind(Node);
    this.#slices = manager.objects(EndpointSlice);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const cachedServices = manager.cluster.cache.kind(Service);
    manager
      .controller(name)
      .for(Service)
      .watches(Pod, (pod) => servicesOf(cachedServices, pod), { predicates: [endpointsMayChange] })
      .watches(EndpointSlice, serviceOf)
      // Nodes are read from their cache, which must be filled; what happens to them changes no endpoint, but
      // how many of them a zone should have.
      .watches(Node, () => cachedServices.list().filter(wantsZoneShares).map(keyOf), {
        predicates: [zonesMayChange],
      })
      .reconcile((key, context) => this.#reconcile(key, context), {
        concurrency,
        recorder: manager.recorder('endpoint-slice-controller'),
      });
  }

  async #reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const service = await this.#services.find(key, { signal });
    if (service === undefined) {
      this.#times.forget(key);
      this.#hinted.delete(key);
    }
    if (service === undefined || !hasManagedEndpoints(service)) return undefined;
    const namespace = service.metadata.namespace;
    const selector = selectorFromLabels(service.spec?.selector);
    const pods = selector.isEmpty ? [] : await this.#pods.list({ namespace, selector, signal });
    const existing = await this.#slices.list({
      namespace,
      selector: selectorFromLabels({ [SERVICE_NAME]: service.metadata.name, [MANAGED_BY]: MANAGER }),
      signal,
    });
    const changes = sliceChanges({
      service,
      pods,
      existing: existing.filter((slice) => !isBeingDeleted(slice)),
      nodeOf: (name) => this.#nodes.find(name),
      zoneShares: () => zoneSharesOf(this.#nodes.list()),
    });
    this.#tellOfHints(key, service, changes.hintProblems, recorder);
    const triggered = this.#times.next(key, service, pods);
    try {
      if (!isBeingDeleted(service))
        for (const slice of changes.create) await this.#slices.create(stamped(slice, triggered), { signal });
      for (const slice of changes.update) await this.#slices.update(stamped(slice, triggered), { signal });
      for (const slice of changes.delete)
        await this.#slices.delete(keyOf(slice), { preconditions: { uid: slice.metadata.uid }, signal });
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

  #tellOfHints(
    key: string,
    service: ReadonlyService,
    problems: readonly string[],
    recorder: EventRecorder,
  ): void {
    const subject = withKind(service, Service);
    const wants = wantsZoneShares(service);
    // Each problem is an event of its own, and not another time of the one before.
    for (const problem of problems)
      recorder.warning(subject, 'TopologyAwareHintsDisabled', problem, { action: problem.slice(0, 128) });
    if (wants && problems.length === 0 && !this.#hinted.has(key)) {
      this.#hinted.add(key);
      const [type] = addressTypesOf(service);
      const note = `Topology Aware Hints has been enabled, addressType: ${type}`;
      recorder.normal(subject, 'TopologyAwareHintsEnabled', note);
    }
    if (!wants && this.#hinted.delete(key)) {
      const [type] = addressTypesOf(service);
      const note = `Topology Aware Hints has been disabled, addressType: ${type}`;
      recorder.warning(subject, 'TopologyAwareHintsDisabled', note);
    }
    if (problems.length > 0) this.#hinted.delete(key);
  }
}

/** A node says something every few seconds that concerns no zone. */
function zonesMayChange(event: ObjectEvent<Node>): boolean {
  return event.type !== 'update' || !deepEqual(zoneFactsOf(event.old), zoneFactsOf(event.object));
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
function serviceOf(slice: Cached<EndpointSlice>): string[] {
  const { [SERVICE_NAME]: name, [MANAGED_BY]: manager } = labelsOf(slice);
  return name === undefined || manager !== MANAGER ? [] : [`${slice.metadata.namespace}/${name}`];
}
