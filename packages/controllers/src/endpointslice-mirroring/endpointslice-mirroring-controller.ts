import {
  type Cached,
  type DeepReadonly,
  hasStatusCause,
  isBeingDeleted,
  keyOf,
  selectorFromLabels,
} from '@windlass/apimachinery';
import { Endpoints, Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { KindClient, Manager, ObjectEvent, ReconcileContext } from '@windlass/runtime';
import { MANAGED_BY, SERVICE_NAME } from '../endpointslice/slices.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { annotationsOf, labelsOf } from '../shared/meta.ts';
import { withKind } from '../shared/pod-control.ts';
import {
  MAX_ADDRESSES_PER_SUBSET,
  MIRRORING_MANAGER,
  type MirrorChanges,
  mirrorChanges,
  type ReadonlyEndpoints,
} from './mirrored-slices.ts';

const SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
/** Old programs elect their leader on Endpoints, which change every other second. */
const LEADER = 'control-plane.alpha.kubernetes.io/leader';

/** Makes slices of the Endpoints of services without a selector, so that one need only read slices. */
export function addEndpointSliceMirroringController(manager: Manager, options: ControllerOptions): void {
  new EndpointSliceMirroringController(manager).register(manager, options);
}

class EndpointSliceMirroringController {
  readonly #endpoints: KindClient<Endpoints>;
  readonly #services: KindClient<Service>;
  readonly #slices: KindClient<EndpointSlice>;

  constructor(manager: Manager) {
    this.#endpoints = manager.objects(Endpoints);
    this.#services = manager.objects(Service);
    this.#slices = manager.objects(EndpointSlice);
  }

  register(manager: Manager, { name, concurrency }: ControllerOptions): void {
    manager
      .controller(name)
      .for(Endpoints, { predicates: [mirroringMatters] })
      .watches(Service, (service) => [keyOf(service)], { predicates: [selectorMatters] })
      .watches(EndpointSlice, endpointsOf)
      .reconcile((key, context) => this.#reconcile(key, context), {
        concurrency,
        recorder: manager.recorder('endpoint-slice-mirroring-controller'),
      });
  }

  async #reconcile(key: string, context: ReconcileContext): Promise<void> {
    const { signal } = context;
    const endpoints = await this.#endpoints.find(key, { signal });
    const service = await this.#services.find(key, { signal });
    const slash = key.indexOf('/');
    const existing = await this.#slices.list({
      namespace: key.slice(0, slash),
      selector: selectorFromLabels({
        [SERVICE_NAME]: key.slice(slash + 1),
        [MANAGED_BY]: MIRRORING_MANAGER,
      }),
      signal,
    });
    const present = existing.filter((slice) => !isBeingDeleted(slice));
    const isMirrored =
      endpoints !== undefined &&
      isMirrorable(endpoints) &&
      service !== undefined &&
      service.spec?.selector === undefined;
    if (!isMirrored) {
      for (const slice of present) await this.#delete(slice, signal);
      return;
    }
    const changes = mirrorChanges(endpoints, present);
    tell(endpoints, changes, context);
    try {
      if (!isBeingDeleted(endpoints))
        for (const slice of changes.create) await this.#slices.create(slice, { signal });
      for (const slice of changes.update) await this.#slices.update(slice, { signal });
      for (const slice of changes.delete) await this.#delete(slice, signal);
    } catch (error) {
      if (!hasStatusCause(error, 'NamespaceTerminating')) throw error;
    }
  }

  #delete(slice: Cached<EndpointSlice>, signal: AbortSignal): Promise<void> {
    return this.#slices.delete(keyOf(slice), { preconditions: { uid: slice.metadata.uid }, signal });
  }
}

function tell(
  endpoints: ReadonlyEndpoints,
  { invalid, skipped }: MirrorChanges,
  { recorder }: ReconcileContext,
): void {
  const subject = withKind(endpoints, Endpoints);
  if (invalid > 0)
    recorder.warning(
      subject,
      'InvalidIPAddress',
      `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`,
    );
  if (skipped > invalid)
    recorder.warning(
      subject,
      'TooManyAddressesToMirror',
      `A max of ${MAX_ADDRESSES_PER_SUBSET} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`,
    );
}

function isMirrorable(endpoints: ReadonlyEndpoints): boolean {
  return labelsOf(endpoints)[SKIP_MIRROR] !== 'true' && annotationsOf(endpoints)[LEADER] === undefined;
}

function mirroringMatters(event: ObjectEvent<Endpoints>): boolean {
  return isMirrorable(event.object) || (event.type === 'update' && isMirrorable(event.old));
}

function selectorMatters(event: ObjectEvent<Service>): boolean {
  const hasNone = ({ spec }: DeepReadonly<Service>): boolean => spec?.selector === undefined;
  if (event.type === 'update') return hasNone(event.old) !== hasNone(event.object);
  return hasNone(event.object);
}

/** Somebody else may have changed a slice of ours, or deleted it. */
function endpointsOf(slice: Cached<EndpointSlice>): string[] {
  const { [SERVICE_NAME]: name, [MANAGED_BY]: manager } = labelsOf(slice);
  return name === undefined || manager !== MIRRORING_MANAGER ? [] : [`${slice.metadata.namespace}/${name}`];
}
