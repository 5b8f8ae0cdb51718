import { type DeepReadonly, termMatchesNode } from '@windlass/apimachinery';
import type { Node, NodeSelector } from '@windlass/apimachinery/api/core/v1';
import type { CounterSet, Device } from '@windlass/apimachinery/api/resource/v1';
import type { ReadonlySlice } from '../framework/device-view.ts';
import { deviceId } from './allocated-devices.ts';

/** A device that the node can use. */
export interface Candidate {
  readonly id: string;
  readonly pool: DevicePool;
  readonly slice: ReadonlySlice;
  readonly device: DeepReadonly<Device>;
}

/** The devices of a pool, as far as the newest generation of its slices goes. */
export interface DevicePool {
  readonly driver: string;
  readonly name: string;
  /** Not all slices of the generation are there: the driver is about to publish them. */
  readonly isIncomplete: boolean;
  /** Why nothing can be taken of it; undefined when all is well. */
  readonly problem: string | undefined;
  /** Those that the node can use, in the order of their slices. */
  readonly candidates: readonly Candidate[];
  /** Also those of other nodes, which may share counters with them. */
  readonly devices: readonly DeepReadonly<Device>[];
  readonly counterSets: ReadonlyMap<string, DeepReadonly<CounterSet>>;
}

interface Place {
  readonly nodeName?: string;
  readonly allNodes?: boolean;
  readonly nodeSelector?: DeepReadonly<NodeSelector>;
}

export function isPlacedOn({ nodeName, allNodes, nodeSelector }: Place, node: DeepReadonly<Node>): boolean {
  if (nodeName !== undefined && nodeName !== '') return nodeName === node.metadata?.name;
  if (allNodes === true) return true;
  return nodeSelector?.nodeSelectorTerms.some((term) => termMatchesNode(term, node)) === true;
}

/**
 * The pools that have devices for a node, by driver and name. Those with devices that take time to get ready are last.
 *
 * @param slices those that may have devices for the node
 * @param slicesOfPool all slices of a pool
 */
export function poolsFor(
  node: DeepReadonly<Node>,
  slices: readonly ReadonlySlice[],
  slicesOfPool: (driver: string, pool: string) => readonly ReadonlySlice[],
): DevicePool[] {
  const keys = new Map<string, readonly [driver: string, pool: string]>();
  for (const slice of slices) {
    const { driver, pool } = slice.spec;
    if (usableDevices(slice, node).length > 0) keys.set(`${driver}/${pool.name}`, [driver, pool.name]);
  }
  const pools = Array.from(keys.values(), ([driver, name]) =>
    poolOf(driver, name, node, slicesOfPool(driver, name)),
  ).filter(({ candidates }) => candidates.length > 0);
  const key = ({ driver, name, candidates }: DevicePool): string => {
    const isSlow = candidates.some(({ device }) => (device.bindingConditions ?? []).length > 0);
    return `${isSlow ? 1 : 0}/${driver}/${name}`;
  };
  return pools.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

function poolOf(
  driver: string,
  name: string,
  node: DeepReadonly<Node>,
  all: readonly ReadonlySlice[],
): DevicePool {
  const generation = Math.max(...all.map(({ spec }) => spec.pool.generation));
  const current = all
    .filter(({ spec }) => spec.pool.generation === generation)
    .toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const devices = current.flatMap(({ spec }) => spec.devices ?? []);
  const counterSets = new Map(
    current.flatMap(({ spec }) => spec.sharedCounters ?? []).map((set) => [set.name, set] as const),
  );
  const candidates: Candidate[] = [];
  const pool: DevicePool = {
    driver,
    name,
    isIncomplete: current.length !== current[0]?.spec.pool.resourceSliceCount,
    problem: problemOf(devices, counterSets),
    candidates,
    devices,
    counterSets,
  };
  for (const slice of current)
    for (const device of usableDevices(slice, node))
      candidates.push({ id: deviceId({ driver, pool: name, device: device.name }), pool, slice, device });
  return pool;
}

function usableDevices({ spec }: ReadonlySlice, node: DeepReadonly<Node>): readonly DeepReadonly<Device>[] {
  const devices = spec.devices ?? [];
  if (spec.perDeviceNodeSelection === true) return devices.filter((device) => isPlacedOn(device, node));
  return isPlacedOn(spec, node) ? devices : [];
}

function problemOf(
  devices: readonly DeepReadonly<Device>[],
  counterSets: ReadonlyMap<string, DeepReadonly<CounterSet>>,
): string | undefined {
  const names = new Set<string>();
  for (const { name, consumesCounters } of devices) {
    if (names.has(name)) return `duplicate device name ${name}`;
    names.add(name);
    for (const { counterSet, counters } of consumesCounters ?? []) {
      const known = counterSets.get(counterSet)?.counters;
      if (known === undefined) return `device ${name} consumes the unknown counter set ${counterSet}`;
      const missing = Object.keys(counters).find((counter) => known[counter] === undefined);
      if (missing !== undefined)
        return `device ${name} consumes the unknown counter ${missing} of ${counterSet}`;
    }
  }
  return undefined;
}
