import { isClaimForPod, keyOf, resourceClaimsOfPod, termMatchesNode } from '@windlass/apimachinery';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { AllocatedDevices, DeviceView, ReadonlyResourceClaim } from '../framework/device-view.ts';
import { allocateDevices, type ChosenDevice } from './allocate-devices.ts';
import { AllocationError } from './allocation-error.ts';

/** Devices for the claims of a pod that have none yet. */
export interface PodDevices {
  readonly claims: readonly {
    readonly claim: ReadonlyResourceClaim;
    readonly chosen: readonly ChosenDevice[];
  }[];
}

export const NOT_ON_NODE = 'resourceclaim not available on the node';

/** The claims of a pod; or why it has to wait for them. */
export function resourceClaimsFor(
  { pod, key, namespace }: PodInfo,
  view: DeviceView,
): readonly ReadonlyResourceClaim[] | string {
  const claims: ReadonlyResourceClaim[] = [];
  for (const { claim: name, template, isSettled } of resourceClaimsOfPod(pod)) {
    if (!isSettled) return `pod "${key}": ResourceClaim not created yet`;
    // None is needed.
    if (name === undefined) continue;
    const claim = view.claim(`${namespace}/${name}`);
    if (claim === undefined) return `resourceclaim "${name}" not found`;
    if (claim.metadata.deletionTimestamp !== undefined) return `resourceclaim "${name}" is being deleted`;
    if (template !== undefined && !isClaimForPod(claim, pod))
      return `ResourceClaim ${keyOf(claim)} was not created for pod ${key} (pod is not owner)`;
    if (view.isBeingAllocated(keyOf(claim)))
      return `resource claim ${keyOf(claim)} is in the process of being allocated`;
    const missing = missingClass(claim, view);
    if (claim.status?.allocation === undefined && missing !== undefined) return missing;
    claims.push(claim);
  }
  return claims;
}

function missingClass({ spec }: ReadonlyResourceClaim, view: DeviceView): string | undefined {
  for (const { name, exactly, firstAvailable } of spec.devices?.requests ?? []) {
    const wanted = [
      ...(exactly === undefined ? [] : [{ name, className: exactly.deviceClassName }]),
      ...(firstAvailable ?? []).map((one) => ({
        name: `${name}/${one.name}`,
        className: one.deviceClassName,
      })),
    ];
    for (const one of wanted)
      if (view.deviceClass(one.className) === undefined)
        return `request ${one.name}: device class ${one.className} does not exist`;
  }
  return undefined;
}

/** What the claims get on this node; or why they cannot be had there. */
export function devicesFor(
  claims: readonly ReadonlyResourceClaim[],
  { node, name }: NodeInfo,
  view: DeviceView,
  allocated: AllocatedDevices,
): PodDevices | string {
  if (node === undefined) return NOT_ON_NODE;
  for (const { status } of claims) {
    const terms = status?.allocation?.nodeSelector?.nodeSelectorTerms;
    if (terms !== undefined && !terms.some((term) => termMatchesNode(term, node))) return NOT_ON_NODE;
  }
  const open = claims.filter(({ status }) => status?.allocation === undefined);
  if (open.length === 0) return { claims: [] };
  try {
    const chosen = allocateDevices({
      node,
      claims: open,
      slices: view.slicesFor(name),
      slicesOfPool: (driver, pool) => view.slicesOfPool(driver, pool),
      allocated,
      classOf: (className) => view.deviceClass(className),
      matches: (expression, device) => view.matches(expression, device),
    });
    if (chosen === undefined) return 'cannot allocate all claims';
    return { claims: open.map((claim, index) => ({ claim, chosen: chosen[index] ?? [] })) };
  } catch (error) {
    if (error instanceof AllocationError) return error.message;
    throw error;
  }
}
