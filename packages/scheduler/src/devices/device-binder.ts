import {
  CLAIM_PROTECTION_FINALIZER,
  type DeepReadonly,
  deepCopy,
  findCondition,
  formatTime,
  isConflict,
  isReservedForPod,
  keyOf,
  podConsumer,
  type Served,
} from '@windlass/apimachinery';
import { type AllocationResult, ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { orAbort, withDeadline } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import { DeviceBindingError } from '../errors.ts';
import type { ReadonlyResourceClaim } from '../framework/device-view.ts';
import { type BindingPlugin, type Rejection, rejects } from '../framework/plugin.ts';
import { deviceId } from './allocated-devices.ts';
import { allocationResult } from './allocation-result.ts';
import type { ClusterDevices } from './cluster-devices.ts';
import { devicesFor, NOT_ON_NODE, resourceClaimsFor } from './pod-devices.ts';

export interface DeviceBinderOptions {
  readonly manager: Manager;
  readonly devices: ClusterDevices;
  /** How long devices may take to get ready. */
  readonly timeoutMs: number;
}

/** A claim of a pod that has got its node. */
interface Planned {
  readonly claim: ReadonlyResourceClaim;
  /** Undefined for a claim that has its devices already. */
  readonly allocation: AllocationResult | undefined;
  isWritten: boolean;
}

const NAME = 'DynamicResources';
const MAX_CONFLICTS = 5;

/**
 * Gives a pod's claims their devices before the pod gets its node, and reserves them for the pod. Until that is
 * written no other pod gets these devices, nor the claim.
 */
export class DeviceBinder implements BindingPlugin {
  readonly name = NAME;
  readonly #options: DeviceBinderOptions;
  /** Also when all is written: the pod may still not get its node. */
  readonly #plans = new WeakMap<PodInfo, readonly Planned[]>();

  constructor(options: DeviceBinderOptions) {
    this.#options = options;
  }

  reserve(pod: PodInfo, node: NodeInfo): Rejection | undefined {
    if ((pod.pod.spec?.resourceClaims ?? []).length === 0) return undefined;
    const { devices, manager } = this.#options;
    const claims = resourceClaimsFor(pod, devices);
    if (typeof claims === 'string') return rejects(NAME, claims, true);
    const found = devicesFor(claims, node, devices, devices.allocated());
    if (typeof found === 'string') return rejects(NAME, found, true);
    const plan = claims.map((claim): Planned => {
      const chosen = found.claims.find((one) => one.claim === claim)?.chosen;
      const allocation = chosen && allocationResult(claim, chosen, node.name, () => manager.random.uuid());
      return { claim, allocation, isWritten: false };
    });
    this.#plans.set(pod, plan);
    for (const { claim, allocation } of plan)
      if (allocation !== undefined) devices.pending.set(keyOf(claim), withStatus(claim, pod, allocation));
    return undefined;
  }

  async unreserve(pod: PodInfo, _node: string, signal: AbortSignal): Promise<void> {
    const plan = this.#plans.get(pod) ?? [];
    this.#plans.delete(pod);
    for (const { claim, allocation, isWritten } of plan)
      if (allocation !== undefined && !isWritten) this.#options.devices.pending.delete(keyOf(claim));
    for (const { claim, allocation, isWritten } of plan) {
      if (!isWritten) continue;
      const { name, namespace, uid } = claim.metadata;
      // Devices that did not get ready are left to others; the rest waits for the pod, which is tried again.
      const gives = allocation !== undefined && conditionsOf(allocation).length > 0;
      await this.#claims(namespace).status.patch(
        name,
        {
          metadata: { uid },
          status: {
            reservedFor: [{ $patch: 'delete', uid: pod.uid }],
            ...(gives && { allocation: null, devices: null }),
          },
        },
        { type: 'strategic', signal },
      );
    }
  }

  async preBind(pod: PodInfo, _node: string, signal: AbortSignal): Promise<void> {
    const plan = this.#plans.get(pod) ?? [];
    const { devices, manager, timeoutMs } = this.#options;
    for (const planned of plan) {
      const written = await this.#write(pod, planned, signal);
      planned.isWritten = true;
      devices.pending.written(keyOf(planned.claim), written.metadata.resourceVersion);
    }
    const waiting = plan.filter(({ claim, allocation }) => {
      const given = allocation ?? claim.status?.allocation;
      return given !== undefined && conditionsOf(given).length > 0;
    });
    if (waiting.length > 0) {
      const what = `the devices of pod ${pod.key}`;
      using deadline = withDeadline(manager.clock, timeoutMs, what, signal);
      await this.#wait(() => waiting.every(({ claim }) => this.#isReady(claim)), deadline.signal);
    }
  }

  /** A claim that only this pod has, and that keeps it from every node, may get other devices. */
  async giveBack(
    pod: PodInfo,
    rejections: ReadonlyMap<string, Rejection>,
    signal: AbortSignal,
  ): Promise<void> {
    if (!rejections.values().some(({ reasons }) => reasons.includes(NOT_ON_NODE))) return;
    const claims = resourceClaimsFor(pod, this.#options.devices);
    if (typeof claims === 'string') return;
    const stuck = claims.find(
      ({ status }) =>
        status?.allocation?.nodeSelector !== undefined &&
        (status.reservedFor ?? []).every(({ uid }) => uid === pod.uid),
    );
    if (stuck === undefined) return;
    const next = deepCopy(stuck);
    delete next.status;
    await this.#claims(stuck.metadata.namespace).status.replace(next, { signal });
  }

  async #write(
    pod: PodInfo,
    { claim, allocation }: Planned,
    signal: AbortSignal,
  ): Promise<ReadonlyResourceClaim> {
    const { name, namespace, uid } = claim.metadata;
    const claims = this.#claims(namespace);
    let current: ReadonlyResourceClaim = claim;
    for (let attempt = 1; ; attempt++) {
      checkOpen(current, uid, allocation);
      const isReserved = isReservedForPod(current, pod.pod);
      if (allocation === undefined && isReserved) return current;
      try {
        const protectedClaim =
          allocation === undefined || isProtected(current)
            ? current
            : await claims.replace(withFinalizer(current), { signal });
        return await claims.status.replace(withStatus(protectedClaim, pod, allocation, this.#now()), {
          signal,
        });
      } catch (error) {
        if (!isConflict(error) || attempt > MAX_CONFLICTS) throw error;
        current = await claims.get(name, { signal });
      }
    }
  }

  #now(): string {
    return formatTime(this.#options.manager.clock.now());
  }

  /** Asks again whenever something about devices has changed. */
  async #wait(isDone: () => boolean, signal: AbortSignal): Promise<void> {
    if (isDone()) return;
    const settled = Promise.withResolvers<void>();
    using _ = this.#options.devices.listen(() => {
      try {
        if (isDone()) settled.resolve();
      } catch (error) {
        settled.reject(error);
      }
    });
    await orAbort(settled.promise, signal);
  }

  /** @throws DeviceBindingError when it will never be */
  #isReady({ metadata }: ReadonlyResourceClaim): boolean {
    const claim = this.#options.devices.serverClaim(`${metadata.namespace}/${metadata.name}`);
    if (claim === undefined || claim.metadata.uid !== metadata.uid)
      throw new DeviceBindingError(`resourceclaim "${metadata.name}" is gone`);
    const { allocation, devices = [] } = claim.status ?? {};
    // What was written has not come back yet.
    if (allocation === undefined) return false;
    return (allocation.devices?.results ?? []).every((result) => {
      const known = devices.find((one) => deviceId(one) === deviceId(result))?.conditions ?? [];
      const isTrue = (type: string): boolean => findCondition(known, type)?.status === 'True';
      const failed = (result.bindingFailureConditions ?? []).find(isTrue);
      if (failed !== undefined) throw new DeviceBindingError(`device ${deviceId(result)} reports ${failed}`);
      return (result.bindingConditions ?? []).every(isTrue);
    });
  }

  #claims(namespace: string) {
    return this.#options.manager.client.resource(ResourceClaim).namespace(namespace);
  }
}

/** @throws DeviceBindingError when the claim is not what it was when it was decided on */
function checkOpen(
  { metadata, status }: ReadonlyResourceClaim,
  uid: string,
  allocation: AllocationResult | undefined,
): void {
  const about = `resourceclaim "${metadata.name}"`;
  if (metadata.uid !== uid || metadata.deletionTimestamp !== undefined)
    throw new DeviceBindingError(`${about} got deleted in the meantime`);
  if (allocation !== undefined && status?.allocation !== undefined)
    throw new DeviceBindingError(`${about} already got allocated elsewhere`);
  if (allocation === undefined && status?.allocation === undefined)
    throw new DeviceBindingError(`${about} got deallocated elsewhere`);
}

function isProtected({ metadata }: ReadonlyResourceClaim): boolean {
  return metadata.finalizers?.includes(CLAIM_PROTECTION_FINALIZER) === true;
}

function withFinalizer(claim: ReadonlyResourceClaim): Served<ResourceClaim> {
  const next = deepCopy(claim);
  next.metadata = {
    ...next.metadata,
    finalizers: [...(next.metadata.finalizers ?? []), CLAIM_PROTECTION_FINALIZER],
  };
  return next;
}

/** With its devices, and reserved for the pod. */
function withStatus(
  claim: ReadonlyResourceClaim,
  { pod }: PodInfo,
  allocation: AllocationResult | undefined,
  allocationTimestamp?: string,
): Served<ResourceClaim> {
  const next = deepCopy(claim);
  const reservedFor = next.status?.reservedFor ?? [];
  next.status = {
    ...next.status,
    ...(allocation !== undefined && {
      allocation: { ...allocation, ...(allocationTimestamp !== undefined && { allocationTimestamp }) },
    }),
    reservedFor: isReservedForPod(claim, pod) ? reservedFor : [...reservedFor, podConsumer(pod)],
  };
  return next;
}

function conditionsOf({ devices }: DeepReadonly<AllocationResult>): readonly string[] {
  return (devices?.results ?? []).flatMap(({ bindingConditions }) => bindingConditions ?? []);
}
