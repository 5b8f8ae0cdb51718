import { type DeepReadonly, keyOf, type Quantity } from '@windlass/apimachinery';
import type { Node } from '@windlass/apimachinery/api/core/v1';
import type { AllocatedDevices, ReadonlyResourceClaim, ReadonlySlice } from '../framework/device-view.ts';
import { AllocationError } from './allocation-error.ts';
import { consumedCapacity } from './consumed-capacity.ts';
import { ConstraintState } from './device-constraints.ts';
import { DeviceCounters } from './device-counters.ts';
import { type Candidate, poolsFor } from './device-pools.ts';
import { isTaintedFor } from './device-tolerations.ts';
import { MAX_DEVICES, type WantedDevices, type WantedDevicesInput, wantedDevices } from './wanted-devices.ts';

export interface AllocationInput extends Omit<WantedDevicesInput, 'pools'> {
  readonly node: DeepReadonly<Node>;
  /** None of them has devices yet. */
  readonly claims: readonly ReadonlyResourceClaim[];
  /** Those that may have devices for the node. */
  readonly slices: readonly ReadonlySlice[];
  readonly slicesOfPool: (driver: string, pool: string) => readonly ReadonlySlice[];
  readonly allocated: AllocatedDevices;
}

/** A device for a request. */
export interface ChosenDevice {
  readonly wanted: WantedDevices;
  readonly candidate: Candidate;
  /** What is taken of a device that others may have a part of, too; undefined for one that is taken whole. */
  readonly share: ReadonlyMap<string, Quantity> | undefined;
}

/** After so many tries the search is given up: others want to be scheduled, too. */
const MAX_TRIES = 100_000;

/**
 * Devices for all claims on one node, in the order of the claims; undefined when there are none. The first solution
 * is taken: requests in their order, alternatives in theirs, devices in that of their pools and slices.
 *
 * @throws AllocationError
 */
export function allocateDevices(input: AllocationInput): ChosenDevice[][] | undefined {
  return new Search(input).run();
}

class Search {
  readonly #claims: readonly ReadonlyResourceClaim[];
  readonly #allocated: AllocatedDevices;
  /** By claim and request, the alternatives. */
  readonly #wanted: readonly (readonly (readonly WantedDevices[])[])[];
  readonly #constraints: readonly (readonly ConstraintState[])[];
  readonly #candidates: readonly Candidate[];
  readonly #counters: DeviceCounters;
  readonly #chosen: ChosenDevice[][];
  #tries = 0;

  constructor({ node, claims, slices, slicesOfPool, allocated, classOf, matches }: AllocationInput) {
    const pools = poolsFor(node, slices, slicesOfPool);
    this.#claims = claims;
    this.#allocated = allocated;
    this.#wanted = claims.map((claim) => wantedDevices(claim, { pools, classOf, matches }));
    this.#constraints = claims.map(({ spec }) =>
      (spec.devices?.constraints ?? []).map((constraint) => new ConstraintState(constraint)),
    );
    this.#candidates = pools
      .filter(({ isIncomplete, problem }) => !isIncomplete && problem === undefined)
      .flatMap(({ candidates }) => candidates);
    this.#counters = new DeviceCounters(allocated);
    this.#chosen = claims.map(() => []);
  }

  run(): ChosenDevice[][] | undefined {
    for (const [index, requests] of this.#wanted.entries()) {
      const least = requests.reduce(
        (sum, alternatives) => sum + Math.min(...alternatives.map(({ count }) => count)),
        0,
      );
      const claim = this.#claims[index];
      if (least > MAX_DEVICES && claim !== undefined)
        throw new AllocationError(
          `claim ${keyOf(claim)}: number of requested devices ${least} exceeds the claim limit of ${MAX_DEVICES}`,
        );
    }
    return this.#allocateRequest(0, 0) ? this.#chosen : undefined;
  }

  /** This request and all that follow, also those of later claims. */
  #allocateRequest(claim: number, request: number): boolean {
    const requests = this.#wanted[claim];
    if (requests === undefined) return true;
    const alternatives = requests[request];
    if (alternatives === undefined) return this.#allocateRequest(claim + 1, 0);
    return alternatives.some((wanted) => {
      // Of none at all it cannot be said that all of them were had.
      if (wanted.all?.length === 0) return false;
      if ((this.#chosen[claim]?.length ?? 0) + wanted.count > MAX_DEVICES) return false;
      return this.#allocateDevice(claim, request, wanted, 0, 0);
    });
  }

  /** So many of the request are chosen; those before `from` were tried. Sets are tried, not their orders. */
  #allocateDevice(
    claim: number,
    request: number,
    wanted: WantedDevices,
    done: number,
    from: number,
  ): boolean {
    if (done === wanted.count) return this.#allocateRequest(claim, request + 1);
    const all = wanted.all?.[done];
    const candidates = all === undefined ? this.#candidates.slice(from) : [all];
    for (const [offset, candidate] of candidates.entries()) {
      if (++this.#tries > MAX_TRIES)
        throw new AllocationError(`no devices were found after ${MAX_TRIES} tries; the search is given up`);
      const undo = this.#choose(claim, wanted, candidate);
      if (undo === undefined) continue;
      if (this.#allocateDevice(claim, request, wanted, done + 1, from + offset + 1)) return true;
      undo();
    }
    return false;
  }

  /** Takes the device, if it can be had, and says how to give it back. */
  #choose(claim: number, wanted: WantedDevices, candidate: Candidate): (() => void) | undefined {
    const { device, pool, id } = candidate;
    const isShared = device.allowMultipleAllocations === true;
    if (this.#isTaken(claim, wanted, candidate, isShared)) return undefined;
    if (wanted.all === undefined && !wanted.selects(candidate)) return undefined;
    if (isTaintedFor(device, wanted.tolerations)) return undefined;
    const taken = [this.#allocated.shares.get(id), ...this.#sharesOf(id)];
    const consumed = consumedCapacity(device, wanted.capacity, isShared ? taken : []);
    if (consumed === undefined) return undefined;
    // The parts of a shared device take its counters once, and who looks after a device takes none.
    const takesCounters = !wanted.hasAdminAccess && !(isShared && taken.some((share) => share !== undefined));
    if (takesCounters && !this.#counters.take(pool, device)) return undefined;
    const returnCounters = (): void => {
      if (takesCounters) this.#counters.giveBack(pool, device);
    };
    if (!this.#constrain(claim, wanted.name, candidate)) {
      returnCounters();
      return undefined;
    }
    this.#chosen[claim]?.push({ wanted, candidate, share: isShared ? consumed : undefined });
    return () => {
      this.#chosen[claim]?.pop();
      for (const constraint of this.#constraints[claim] ?? []) constraint.remove(wanted.name);
      returnCounters();
    };
  }

  #isTaken(claim: number, { hasAdminAccess }: WantedDevices, { id }: Candidate, isShared: boolean): boolean {
    // No claim has a device twice, not even to look after it.
    if (this.#chosen[claim]?.some(({ candidate }) => candidate.id === id) === true && !isShared) return true;
    if (hasAdminAccess) return false;
    if (this.#allocated.devices.has(id)) return true;
    return (
      !isShared &&
      this.#chosen.some((devices) =>
        devices.some(({ candidate, wanted }) => candidate.id === id && !wanted.hasAdminAccess),
      )
    );
  }

  /** What is taken of a device by what was chosen so far. */
  #sharesOf(id: string): (ReadonlyMap<string, Quantity> | undefined)[] {
    return this.#chosen.flatMap((devices) =>
      devices
        .filter(({ candidate, wanted }) => candidate.id === id && !wanted.hasAdminAccess)
        .map(({ share }) => share),
    );
  }

  /** All constraints, or none of them, take the device in. */
  #constrain(claim: number, request: string, candidate: Candidate): boolean {
    const constraints = this.#constraints[claim] ?? [];
    const failed = constraints.findIndex((constraint) => !constraint.add(request, candidate));
    if (failed < 0) return true;
    for (const constraint of constraints.slice(0, failed)) constraint.remove(request);
    return false;
  }
}
