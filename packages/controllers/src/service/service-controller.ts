import { type Cached, deepCopy } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import type { KindClient, Manager, ReconcileContext } from '@windlass/runtime';
import { LoadBalancerError } from '../errors.ts';
import type { ControllerOptions } from '../options/controller-options.ts';
import { withKind } from '../shared/pod-control.ts';
import { updateStatus } from '../shared/update-status.ts';
import { addressesOf } from './address-pool.ts';
import { CLEANUP_FINALIZER, planLoadBalancer } from './plan-load-balancer.ts';

/**
 * Gives services of type LoadBalancer an address, as the controller of a cloud would. Without a block of addresses to
 * give it does nothing: on a real cluster that is for the cloud to do.
 */
export function addServiceController(
  manager: Manager,
  { name, concurrency, loadBalancerCidr }: ControllerOptions,
): void {
  if (loadBalancerCidr === undefined) return;
  const balancers = new LoadBalancers(manager, [...addressesOf(loadBalancerCidr)]);
  manager
    .controller(name)
    .for(Service)
    .reconcile((key, context) => balancers.reconcile(key, context), { concurrency });
}

class LoadBalancers {
  readonly #services: KindClient<Service>;
  readonly #list: () => readonly Cached<Service>[];
  readonly #pool: readonly string[];
  /** What was given a moment ago may not be in the cache yet. By address, the key of the service. */
  readonly #given = new Map<string, string>();

  constructor(manager: Manager, pool: readonly string[]) {
    this.#services = manager.objects(Service);
    const cached = manager.cluster.cache.kind(Service);
    this.#list = () => cached.list();
    this.#pool = pool;
  }

  async reconcile(key: string, { recorder, signal }: ReconcileContext): Promise<void> {
    const service = await this.#services.find(key, { signal });
    if (service === undefined) {
      this.#release(key);
      return;
    }
    const plan = planLoadBalancer(service, this.#takenByOthers(key), this.#pool);
    const subject = withKind(service, Service);
    switch (plan.type) {
      case 'none':
        return;
      case 'fail':
        recorder.warning(subject, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${plan.message}`);
        throw new LoadBalancerError(key, plan.message);
      case 'clean':
        recorder.normal(subject, 'DeletingLoadBalancer', 'Deleting load balancer');
        await this.#clean(service, signal);
        this.#release(key);
        recorder.normal(subject, 'DeletedLoadBalancer', 'Deleted load balancer');
        return;
      case 'ensure':
        recorder.normal(subject, 'EnsuringLoadBalancer', 'Ensuring load balancer');
        this.#release(key);
        this.#given.set(plan.address, key);
        await this.#ensure(service, plan.address, signal);
        recorder.normal(subject, 'EnsuredLoadBalancer', 'Ensured load balancer');
        return;
      default:
        return plan satisfies never;
    }
  }

  #takenByOthers(key: string): (address: string) => boolean {
    const taken = new Set<string>();
    for (const { metadata, status } of this.#list()) {
      if (`${metadata.namespace}/${metadata.name}` === key) continue;
      for (const { ip } of status?.loadBalancer?.ingress ?? []) if (ip !== undefined) taken.add(ip);
    }
    return (address) => taken.has(address) || (this.#given.get(address) ?? key) !== key;
  }

  #release(key: string): void {
    for (const [address, owner] of this.#given) if (owner === key) this.#given.delete(address);
  }

  /** The finalizer first: an address that is given must be taken back. */
  async #ensure(service: Cached<Service>, ip: string, signal: AbortSignal): Promise<void> {
    const held = await this.#withFinalizer(service, true, signal);
    const isTold = held.status?.loadBalancer?.ingress?.[0]?.ip === ip;
    if (!isTold) await this.#tell(held, { ingress: [{ ip, ipMode: 'VIP' }] }, signal);
  }

  /** The status first: a service without the finalizer may be gone. */
  async #clean(service: Cached<Service>, signal: AbortSignal): Promise<void> {
    const hasIngress = (service.status?.loadBalancer?.ingress ?? []).length > 0;
    const told = hasIngress ? await this.#tell(service, {}, signal) : service;
    await this.#withFinalizer(told, false, signal);
  }

  async #withFinalizer(
    service: Cached<Service>,
    isWanted: boolean,
    signal: AbortSignal,
  ): Promise<Cached<Service>> {
    const before = service.metadata.finalizers ?? [];
    if (before.includes(CLEANUP_FINALIZER) === isWanted) return service;
    const next = deepCopy<Service>(service);
    const finalizers = isWanted
      ? [...before, CLEANUP_FINALIZER]
      : before.filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    next.metadata = { ...next.metadata, finalizers };
    return this.#services.update(next, { signal });
  }

  async #tell(
    service: Cached<Service>,
    loadBalancer: NonNullable<Service['status']>['loadBalancer'],
    signal: AbortSignal,
  ): Promise<Cached<Service>> {
    return updateStatus<Service>(
      this.#services,
      service,
      (now) => ({ ...now, status: { ...now.status, loadBalancer: loadBalancer ?? {} } }),
      signal,
    ) as Promise<Cached<Service>>; // what the server answered is whole
  }
}
