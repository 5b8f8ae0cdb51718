import { GrpcError } from '@windlass/grpc';
import type { CapacityRange } from '../generated/csi.ts';

export interface MemoryVolume {
  readonly id: string;
  readonly name: string;
  readonly node: string;
  readonly parameters: Readonly<Record<string, string>>;
  bytes: number;
}

/** What the storage behind a MemoryDriver holds. It outlives the driver, as disks outlive a process. */
export class MemoryVolumes {
  /** Bytes that each node's storage has. */
  readonly nodes: ReadonlyMap<string, number>;
  readonly #volumes = new Map<string, MemoryVolume>();
  #made = 0;

  /** @param nodes a node's name to its bytes */
  constructor(nodes: Readonly<Record<string, number>>) {
    this.nodes = new Map(Object.entries(nodes));
  }

  /** In the order in which they were made. */
  all(): readonly MemoryVolume[] {
    return [...this.#volumes.values()];
  }

  /** How many were ever made: one that is made again counts twice. */
  get made(): number {
    return this.#made;
  }

  get(id: string): MemoryVolume | undefined {
    return this.#volumes.get(id);
  }

  free(node: string): number {
    let bytes = this.nodes.get(node) ?? 0;
    for (const volume of this.#volumes.values()) if (volume.node === node) bytes -= volume.bytes;
    return bytes;
  }

  /** On the first of these nodes with room. */
  create(
    name: string,
    range: CapacityRange | undefined,
    nodes: readonly string[],
    parameters: Readonly<Record<string, string>>,
  ): MemoryVolume {
    const id = `id-${name}`;
    const { requiredBytes = 0, limitBytes = 0 } = range ?? {};
    const present = this.#volumes.get(id);
    if (present !== undefined) {
      if (present.bytes < requiredBytes || (limitBytes > 0 && present.bytes > limitBytes))
        throw new GrpcError('ALREADY_EXISTS', `volume ${name} has ${present.bytes} bytes`);
      return present;
    }
    const bytes = requiredBytes === 0 ? 1 : requiredBytes;
    const node = nodes.find((each) => this.free(each) >= bytes);
    if (node === undefined) throw new GrpcError('RESOURCE_EXHAUSTED', `no node has ${bytes} bytes left`);
    const volume = { id, name, node, parameters, bytes };
    this.#volumes.set(id, volume);
    this.#made++;
    return volume;
  }

  delete(id: string): void {
    this.#volumes.delete(id);
  }

  expand(volume: MemoryVolume, bytes: number): void {
    if (bytes - volume.bytes > this.free(volume.node))
      throw new GrpcError('OUT_OF_RANGE', `node ${volume.node} has no room for ${bytes} bytes`);
    volume.bytes = Math.max(volume.bytes, bytes);
  }
}
