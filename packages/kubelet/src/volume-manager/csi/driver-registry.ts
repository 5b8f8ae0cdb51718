import { VolumeError } from '../errors.ts';
import type { NodeDriver } from './node-driver.ts';

/** What a driver can do on the node. */
export interface DriverAbilities {
  readonly stages: boolean;
  readonly expands: boolean;
  readonly hasStats: boolean;
  /** Tells one writer on a node from many. */
  readonly hasSingleWriterModes: boolean;
  /** Gives files to a group by itself when it mounts. */
  readonly mountsForGroup: boolean;
}

export interface RegisteredDriver {
  readonly name: string;
  readonly node: NodeDriver;
  readonly abilities: DriverAbilities;
}

/** The CSI drivers of one node. Drivers come and go while volumes stay. */
export class DriverRegistry {
  readonly #drivers = new Map<string, NodeDriver>();
  readonly #abilities = new WeakMap<NodeDriver, DriverAbilities>();

  set(name: string, driver: NodeDriver): void {
    this.#drivers.set(name, driver);
  }

  delete(name: string): void {
    this.#drivers.delete(name);
  }

  has(name: string): boolean {
    return this.#drivers.has(name);
  }

  /** @throws VolumeError when there is none of this name */
  async get(name: string, signal: AbortSignal): Promise<RegisteredDriver> {
    const node = this.#drivers.get(name);
    if (node === undefined)
      throw new VolumeError(`driver name ${name} not found in the list of registered CSI drivers`);
    let abilities = this.#abilities.get(node);
    if (abilities === undefined) {
      const { capabilities } = await node.nodeGetCapabilities({}, { signal });
      abilities = abilitiesOf(capabilities.flatMap(({ rpc }) => rpc?.type ?? []));
      this.#abilities.set(node, abilities);
    }
    return { name, node, abilities };
  }
}

function abilitiesOf(types: readonly string[]): DriverAbilities {
  return {
    stages: types.includes('STAGE_UNSTAGE_VOLUME'),
    expands: types.includes('EXPAND_VOLUME'),
    hasStats: types.includes('GET_VOLUME_STATS'),
    hasSingleWriterModes: types.includes('SINGLE_NODE_MULTI_WRITER'),
    mountsForGroup: types.includes('VOLUME_MOUNT_GROUP'),
  };
}
