import { type ConditionsChange, deepCopy, isBeingDeleted, setCondition } from '@windlass/apimachinery';
import type { Condition as MetaCondition } from '@windlass/apimachinery/api/meta/v1';
import { IPAddress, ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import type { Clock } from '@windlass/base';
import type { KindClient, Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { updateStatus } from '../shared/update-status.ts';
import {
  cidrsOf,
  holdersOf,
  isOfService,
  mayGo,
  type ReadonlyIpAddress,
  type ReadonlyServiceCidr,
} from './deletion.ts';
import { isOverlap } from './ranges.ts';

const FINALIZER = 'networking.k8s.io/service-cidr-finalizer';
/** API servers may give out an address until they know of the deletion. */
const GRACE_MS = 10_000;

const READY: Stated = { status: 'True', reason: '', message: 'Kubernetes Service CIDR is ready' };
const IN_USE: Stated = {
  status: 'False',
  reason: 'Terminating',
  message:
    'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
};

type Stated = Pick<MetaCondition, 'status' | 'reason' | 'message'>;
type Conditions = readonly MetaCondition[];

/** Makes ranges of service addresses ready, and keeps each as long as a service has an address that only it holds. */
export function addServiceCidrController(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const controller = new ServiceCidrController(manager);
  const cached = manager.cluster.cache.kind(ServiceCIDR);
  const overlapping = (changed: ReadonlyServiceCidr): string[] =>
    cached
      .list()
      .filter((other) => cidrsOf(other).some((a) => cidrsOf(changed).some((b) => isOverlap(a, b))))
      .map(({ metadata }) => metadata.name);
  const holding = (address: ReadonlyIpAddress): string[] =>
    isOfService(address) ? holdersOf(address, cached.list()).map(({ metadata }) => metadata.name) : [];
  manager
    .controller(name)
    .for(ServiceCIDR)
    .watches(ServiceCIDR, overlapping, { predicates: [({ type }) => type === 'add'] })
    .watches(IPAddress, holding, { predicates: [({ type }) => type !== 'update'] })
    .reconcile((key, { signal }) => controller.reconcile(key, signal), { concurrency });
}

class ServiceCidrController {
  readonly #cidrs: KindClient<ServiceCIDR>;
  readonly #addresses: KindClient<IPAddress>;
  readonly #clock: Clock;

  constructor(manager: Manager) {
    this.#cidrs = manager.objects(ServiceCIDR);
    this.#addresses = manager.objects(IPAddress);
    this.#clock = manager.clock;
  }

  async reconcile(key: string, signal: AbortSignal): Promise<{ requeueAfterMs: number } | undefined> {
    const cidr = await this.#cidrs.find(key, { signal });
    if (cidr === undefined) return undefined;
    if (!isBeingDeleted(cidr)) {
      const held = await this.#setFinalizer(cidr, true, signal);
      await this.#state(held, READY, signal);
      return undefined;
    }
    const [all, addresses] = await Promise.all([
      this.#cidrs.list({ signal }),
      this.#addresses.list({ signal }),
    ]);
    if (!mayGo(cidr, all, addresses)) {
      await this.#state(cidr, IN_USE, signal);
      return undefined;
    }
    const rest = Date.parse(cidr.metadata.deletionTimestamp ?? '') + GRACE_MS - this.#clock.now();
    if (rest > 0) return { requeueAfterMs: rest };
    await this.#setFinalizer(cidr, false, signal);
    return undefined;
  }

  async #setFinalizer(
    cidr: ReadonlyServiceCidr,
    isWanted: boolean,
    signal: AbortSignal,
  ): Promise<ReadonlyServiceCidr> {
    const before = cidr.metadata.finalizers ?? [];
    if (before.includes(FINALIZER) === isWanted) return cidr;
    const next = deepCopy<ServiceCIDR>(cidr);
    const finalizers = isWanted ? [...before, FINALIZER] : before.filter((other) => other !== FINALIZER);
    next.metadata = { ...next.metadata, finalizers };
    return this.#cidrs.update(next, { signal });
  }

  async #state(cidr: ReadonlyServiceCidr, wanted: Stated, signal: AbortSignal): Promise<void> {
    const stated = (conditions: Conditions | undefined): ConditionsChange<MetaCondition> =>
      setCondition<MetaCondition>(conditions, { type: 'Ready', ...wanted }, this.#clock);
    if (!stated(deepCopy(cidr.status?.conditions)).changed) return;
    await updateStatus<ServiceCIDR>(
      this.#cidrs,
      cidr,
      (current) => {
        const { conditions } = stated(current.status?.conditions);
        return { ...current, status: { ...current.status, conditions: [...conditions] } };
      },
      signal,
    );
  }
}
