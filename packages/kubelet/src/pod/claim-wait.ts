import {
  type Cached,
  type DeepReadonly,
  isNotFound,
  isReservedForPod,
  keyOf,
  resourceClaimsOfPod,
} from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { ResourceClaim } from '@windlass/apimachinery/api/resource/v1';
import { toError } from '@windlass/base';
import type { Client } from '@windlass/client';
import { isEnding } from './next-step.ts';
import type { PodEvents } from './pod-events.ts';
import type { PodRecord } from './pod-record.ts';

/** A node may read the claims of its pods, but not watch them, and so it asks again after so long. */
export const CLAIMS_WAIT_MS = 2000;

/** Asks for the devices of one pod, and tells people when they are not there. */
export class ClaimWait {
  readonly #client: Client;
  readonly #events: PodEvents;

  constructor(client: Client, events: PodEvents) {
    this.#client = client;
    this.#events = events;
  }

  /**
   * Notes in the record whether the pod may use all of its claims. What it has once it keeps: claims are released
   * when it is done.
   * @returns when to look again, in milliseconds from now; Infinity: not any more
   */
  async sync(pod: Cached<Pod>, record: PodRecord, signal: AbortSignal): Promise<number> {
    if (record.areClaimsReady || isEnding(pod, record)) return Number.POSITIVE_INFINITY;
    const problem = await this.#problem(pod, signal);
    record.areClaimsReady = problem === undefined;
    if (problem === undefined) return Number.POSITIVE_INFINITY;
    this.#events.lacksDevices(pod, problem);
    return CLAIMS_WAIT_MS;
  }

  async #problem(pod: Cached<Pod>, signal: AbortSignal): Promise<string | undefined> {
    const claims = this.#client.resource(ResourceClaim).namespace(pod.metadata.namespace);
    for (const { claim: name, isSettled } of resourceClaimsOfPod(pod)) {
      if (!isSettled) return `pod "${keyOf(pod)}": ResourceClaim not created yet`;
      if (name === undefined) continue;
      try {
        const problem = claimProblem(await claims.get(name, { signal }), pod);
        if (problem !== undefined) return problem;
      } catch (error) {
        if (!isNotFound(error)) throw error;
        return `failed to fetch ResourceClaim ${name} referenced by pod ${pod.metadata.name}: ${toError(error).message}`;
      }
    }
    return undefined;
  }
}

/** Why a pod may not use a claim yet; undefined when it may. */
export function claimProblem(claim: DeepReadonly<ResourceClaim>, pod: Cached<Pod>): string | undefined {
  const { name = '', uid = '' } = claim.metadata ?? {};
  if (claim.status?.allocation === undefined) return `ResourceClaim ${name} is not allocated`;
  return isReservedForPod(claim, pod)
    ? undefined
    : `pod ${pod.metadata.name} (${pod.metadata.uid}) is not allowed to use ResourceClaim ${name} (${uid})`;
}
