import { deepEqual, isAlreadyExists, isConflict, isNotFound } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import type { Manager } from '@windlass/runtime';
import type { DriverNodeInfo } from '../volume-manager/csi/node-driver.ts';
import { changedDrivers, csiNodeDriver, newCsiNode, nodePatch } from './csi-node.ts';

/** Others write a CSINode, too: another driver's registration may come first. */
const ATTEMPTS = 5;

/** Tells the cluster which drivers a node has, and what they say of the node. */
export class CsiNodeWriter {
  readonly #manager: Manager;

  constructor(manager: Manager) {
    this.#manager = manager;
  }

  /** Makes the CSINode, so that everybody knows that the node has no driver yet. */
  async ensure(nodeName: string, signal: AbortSignal): Promise<void> {
    const nodes = this.#manager.client.resource(CSINode);
    try {
      await nodes.get(nodeName, { signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const node = await this.#manager.client.resource(Node).get(nodeName, { signal });
      await nodes.create(newCsiNode(node), { signal }).catch((failure: unknown) => {
        if (!isAlreadyExists(failure)) throw failure;
      });
    }
  }

  /** @param info what the driver says of the node; undefined: it is gone */
  async write(
    nodeName: string,
    driver: string,
    info: DriverNodeInfo | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const entry = info === undefined ? undefined : csiNodeDriver(driver, info);
    // The labels first: who sees the driver in the CSINode looks for them.
    const nodes = this.#manager.client.resource(Node);
    const patch = nodePatch(await nodes.get(nodeName, { signal }), driver, info);
    if (patch !== undefined) await nodes.patch(nodeName, patch, { type: 'merge', signal });
    for (let attempt = 1; ; attempt++) {
      await this.ensure(nodeName, signal);
      const csiNodes = this.#manager.client.resource(CSINode);
      const before = await csiNodes.get(nodeName, { signal });
      const known = driversOf(before);
      const drivers = changedDrivers(known, driver, entry);
      if (isSame(known, drivers)) return;
      try {
        await csiNodes.replace(
          { ...before, spec: { ...before.spec, drivers: drivers.map(copy) } },
          { signal },
        );
        return;
      } catch (error) {
        if (attempt === ATTEMPTS || !isConflict(error)) throw error;
      }
    }
  }
}

type Driver = CSINode['spec']['drivers'][number];
type ReadonlyDriver = ReturnType<typeof changedDrivers>[number];

/** Servers write an empty list as null, whatever its type says. */
function driversOf({ spec }: CSINode): readonly Driver[] {
  return spec.drivers ?? [];
}

/** In whatever order. */
function isSame(a: readonly ReadonlyDriver[], b: readonly ReadonlyDriver[]): boolean {
  return a.length === b.length && a.every((one) => b.some((other) => deepEqual(one, other)));
}

function copy({ topologyKeys, allocatable, ...rest }: ReadonlyDriver): Driver {
  return {
    ...rest,
    ...(topologyKeys !== undefined && { topologyKeys: topologyKeys === null ? null : [...topologyKeys] }),
    ...(allocatable !== undefined && { allocatable: { ...allocatable } }),
  };
}
