import { GrpcError } from '@windlass/grpc';
import type { CapacityRange, VolumeContentSource } from '../generated/csi.ts';

export interface MemoryVolume {
  readonly id: string;
  readonly name: string;
  readonly node: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** What it was made of. */
  readonly source?: VolumeContentSource | undefined;
  bytes: number;
}

export interface MemorySnapshot {
  readonly id: string;
  readonly volumeId: string;
  readonly bytes: number;
  readonly time: string;
  isReady: boolean;
}

/** What the storage behind a MemoryDriver holds. It outlives the driver, as disks outlive a process. */
export class MemoryVolumes {
  /** Bytes that each node's storage has. */
  readonly nodes: ReadonlyMap<string, number>;
  readonly #volumes = new Map<string, MemoryVolume>();
  readonly snapshots = new Map<string, MemorySnapshot>();
  /** Whether snapshots are ready as soon as they are made. */
  isInstant = true;
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
    source?: VolumeContentSource,
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
    const volume = { id, name, node, parameters, bytes, source };
    this.#volumes.set(id, volume);
    this.#made++;
    return volume;
  }

  delete(id: string): void {
    this.#volumes.delete(id);
  }

  snapshot(name: string, volumeId: string): MemorySnapshot {
    const id = `id-${name}`;
    const present = this.snapshots.get(id);
    if (present !== undefined && present.volumeId !== volumeId)
      throw new GrpcError('ALREADY_EXISTS', `snapshot ${name} is of volume ${present.volumeId}`);
    if (present !== undefined) return present;
    const volume = this.#volumes.get(volumeId);
    if (volume === undefined) throw new GrpcError('NOT_FOUND', `there is no volume ${volumeId}`);
    const time = '2026-01-02T03:04:05Z';
    const made = { id, volumeId, bytes: volume.bytes, time, isReady: this.isInstant };
    this.snapshots.set(id, made);
    return made;
  }

  expand(volume: MemoryVolume, bytes: number): void {
    if (bytes - volume.bytes > this.free(volume.node))
      throw new GrpcError('OUT_OF_RANGE', `node ${volume.node} has no room for ${bytes} bytes`);
    volume.bytes = Math.max(volume.bytes, bytes);
  }
}
