import {
  type Cached,
  hasStatusCause,
  isAlreadyExists,
  isConflict,
  keyOf,
  selectorFromLabels,
  semanticEqual,
} from '@windlass/apimachinery';
import { Endpoints, Pod, Service } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import type { KindClient, Manager, ReconcileContext, ReconcileOutcome } from '@windlass/runtime';
import {
  endpointsMayChange,
  hasManagedEndpoints,
  isHeadless,
  type ReadonlyService,
  servicesOf,
} from '../endpointslice/service-pods.ts';
import { HEADLESS } from '../endpointslice/slices.ts';
import { LAST_CHANGE_TRIGGER_TIME, TriggerTimes } from '../endpointslice/trigger-times.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { annotationsOf, labelsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import { isSameSubsets, subsetsOf, truncated } from './subsets.ts';

const OVER_CAPACITY = 'endpoints.kubernetes.io/over-capacity';
const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const MANAGER = 'endpoint-controller';
const LEADER = 'control-plane.alpha.kubernetes.io/leader';

/** Keeps the Endpoints of services that select pods, for those who do not read slices. */
export function addEndpointsController(manager: Manager, options: ControllerOptions): void {
  new EndpointsController(manager).register(manager, options);
}

class EndpointsController {
  readonly #services: KindClient<Service>;
  readonly #pods: KindClient<Pod>;
  readonly #endpoints: KindClient<Endpoints>;
  readonly #times = new TriggerTimes();

  constructor(manager: Manager) {
    this.#services = manager.objects(Service);
    this.#pods = manager.objects(Pod);
    this.#endpoints = manager.objects(Endpoints);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    const cachedServices = manager.cluster.cache.kind(Service);
    manager
      .controller(name)
      .for(Service)
      .watches(Pod, (pod) => servicesOf(cachedServices, pod), { predicates: [endpointsMayChange] })
      // One that somebody deletes comes back; one whose service went while nobody looked goes, too.
      .watches(Endpoints, (endpoints) => [keyOf(endpoints)], {
        predicates: [(event) => event.type === 'delete' || (event.type === 'add' && event.isInInitialList)],
      })
      .reconcile((key, context) => this.#reconcile(key, context), { concurrency });
  }

  async #reconcile(key: string, { signal, recorder }: ReconcileContext): Promise<ReconcileOutcome> {
    const service = await this.#services.find(key, { signal });
    const current = await this.#endpoints.find(key, { signal });
    if (service === undefined) {
      this.#times.forget(key);
      // Old leader elections hold their lock in an Endpoints without a service.
      if (current !== undefined && annotationsOf(current)[LEADER] === undefined)
        await this.#endpoints.delete(key, { preconditions: { uid: current.metadata.uid }, signal });
      return undefined;
    }
    if (!hasManagedEndpoints(service)) return undefined;
    const selector = selectorFromLabels(service.spec?.selector);
    const namespace = service.metadata.namespace;
    const pods = selector.isEmpty ? [] : await this.#pods.list({ namespace, selector, signal });
    const next = this.#desired(service, pods, current, this.#times.next(key, service, pods));
    if (next === undefined) return undefined;
    try {
      if (current === undefined) await this.#endpoints.create(next, { signal });
      else await this.#endpoints.update(next, { signal });
    } catch (error) {
      // The namespace goes, and so does this.
      if (hasStatusCause(error, 'NamespaceTerminating')) return undefined;
      if (!isConflict(error) && !isAlreadyExists(error))
        recorder.warning(
          withKind(service, Service),
          'FailedToUpdateEndpoint',
          `Failed to update endpoint ${key}: ${toError(error).message}`,
        );
      throw error;
    }
    return undefined;
  }

  /** Undefined when what there is says it already. */
  #desired(
    service: ReadonlyService,
    pods: Parameters<typeof subsetsOf>[1],
    current: Cached<Endpoints> | undefined,
    triggered: string | undefined,
  ): Endpoints | undefined {
    const all = subsetsOf(service, pods);
    const cut = truncated(all);
    const subsets = cut ?? all;
    const { [HEADLESS]: _, ...own } = labelsOf(service);
    const labels = { ...own, ...(isHeadless(service) && { [HEADLESS]: '' }), [MANAGED_BY]: MANAGER };
    const isCut = annotationsOf(current ?? {})[OVER_CAPACITY] !== undefined;
    if (
      current !== undefined &&
      isSameSubsets(current.subsets, subsets) &&
      semanticEqual(labelsOf(current), labels) &&
      isCut === (cut !== undefined)
    )
      return undefined;
    const {
      [LAST_CHANGE_TRIGGER_TIME]: _time,
      [OVER_CAPACITY]: _cut,
      ...kept
    } = annotationsOf(current ?? {});
    const { resourceVersion } = current?.metadata ?? {};
    return {
      metadata: {
        name: service.metadata.name,
        namespace: service.metadata.namespace,
        ...(resourceVersion !== undefined && { resourceVersion }),
        labels,
        annotations: {
          ...kept,
          ...(triggered !== undefined && { [LAST_CHANGE_TRIGGER_TIME]: triggered }),
          ...(cut !== undefined && { [OVER_CAPACITY]: 'truncated' }),
        },
      },
      ...(subsets.length > 0 && { subsets }),
    };
  }
}
