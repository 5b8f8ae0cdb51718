// A CSI driver whose mounts outlive the node agent, as those of a kernel do, and which notes every wrong step.
import { mkdir, rmdir } from 'node:fs/promises';
import { type GrpcCode, GrpcError } from '@windlass/csi';
import type { NodeDriver, PublishRequest, StageRequest } from '../volume-manager/csi/node-driver.ts';

export const DRIVER = 'fake.csi.windlass.dev';

type Method = 'stage' | 'unstage' | 'publish' | 'unpublish' | 'expand';

/** What goes wrong with a call: the driver says no, or does it and cannot tell, or is not sure. */
type Fault = 'refuse' | 'lose answer' | 'unavailable';

interface Volume {
  stagedAt: string | undefined;
  readonly publishedAt: Set<string>;
  bytes: number;
}

export class FakeDriver implements NodeDriver {
  /** By id: the mounts of the node. */
  readonly volumes = new Map<string, Volume>();
  /** What the node agent must never do. */
  readonly violations: string[] = [];
  readonly calls: string[] = [];
  readonly staged: StageRequest[] = [];
  readonly published: PublishRequest[] = [];
  capabilities = ['STAGE_UNSTAGE_VOLUME', 'EXPAND_VOLUME', 'GET_VOLUME_STATS'];
  topology: Record<string, string> | undefined = undefined;
  maxVolumesPerNode = 0;
  /** What a refusal says. */
  refusal: GrpcCode = 'INTERNAL';
  /** Asked before each call. */
  fault: (method: Method, id: string) => Fault | undefined = () => undefined;
  /** Awaited in the middle of each call, before it has an effect. */
  during: (method: Method, id: string) => Promise<void> | undefined = () => undefined;
  readonly #busy = new Set<string>();

  volume(id: string): Volume {
    let known = this.volumes.get(id);
    if (known === undefined) {
      known = { stagedAt: undefined, publishedAt: new Set(), bytes: 0 };
      this.volumes.set(id, known);
    }
    return known;
  }

  /** Nothing is mounted. */
  get isClean(): boolean {
    return [...this.volumes.values()].every(
      ({ stagedAt, publishedAt }) => stagedAt === undefined && publishedAt.size === 0,
    );
  }

  async nodeStageVolume(request: StageRequest): Promise<object> {
    const { volumeId, stagingTargetPath } = request;
    this.staged.push(request);
    return this.#call('stage', volumeId, async (volume) => {
      if (volume.stagedAt !== undefined && volume.stagedAt !== stagingTargetPath)
        this.violations.push(`${volumeId} staged at two places`);
      volume.stagedAt = stagingTargetPath;
    });
  }

  async nodeUnstageVolume({ volumeId }: { volumeId: string }): Promise<object> {
    return this.#call('unstage', volumeId, async (volume) => {
      if (volume.publishedAt.size > 0) this.violations.push(`${volumeId} unstaged while a pod has it`);
      volume.stagedAt = undefined;
    });
  }

  async nodePublishVolume(request: PublishRequest): Promise<object> {
    const { volumeId, targetPath, stagingTargetPath } = request;
    this.published.push(request);
    return this.#call('publish', volumeId, async (volume) => {
      if (stagingTargetPath !== '' && volume.stagedAt !== stagingTargetPath)
        this.violations.push(`${volumeId} published before it was staged`);
      await mkdir(targetPath).catch(() => {});
      volume.publishedAt.add(targetPath);
    });
  }

  async nodeUnpublishVolume({
    volumeId,
    targetPath,
  }: {
    volumeId: string;
    targetPath: string;
  }): Promise<object> {
    return this.#call('unpublish', volumeId, async (volume) => {
      await rmdir(targetPath).catch(() => {});
      volume.publishedAt.delete(targetPath);
    });
  }

  async nodeExpandVolume(request: {
    volumeId: string;
    capacityRange: { requiredBytes: number };
  }): Promise<{ capacityBytes: number }> {
    const { volumeId, capacityRange } = request;
    await this.#call('expand', volumeId, async (volume) => {
      if (volume.publishedAt.size === 0) this.violations.push(`${volumeId} expanded while nobody has it`);
      volume.bytes = capacityRange.requiredBytes;
    });
    return { capacityBytes: capacityRange.requiredBytes };
  }

  async nodeGetVolumeStats({ volumeId }: { volumeId: string }) {
    const total = this.volume(volumeId).bytes;
    return {
      usage: [
        { unit: 'BYTES', total, used: 100, available: total - 100 },
        { unit: 'INODES', total: 50, used: 20, available: 30 },
      ],
    };
  }

  async nodeGetCapabilities() {
    return { capabilities: this.capabilities.map((type) => ({ rpc: { type } })) };
  }

  async nodeGetInfo() {
    const { topology, maxVolumesPerNode } = this;
    return {
      nodeId: 'node-id',
      maxVolumesPerNode,
      ...(topology !== undefined && { accessibleTopology: { segments: topology } }),
    };
  }

  async #call(method: Method, id: string, act: (volume: Volume) => Promise<void>): Promise<object> {
    this.calls.push(`${method} ${id}`);
    if (this.#busy.has(id)) this.violations.push(`${method} of ${id} while something else is done to it`);
    this.#busy.add(id);
    try {
      const fault = this.fault(method, id);
      await this.during(method, id);
      if (fault === 'refuse') throw new GrpcError(this.refusal, 'the driver says no');
      if (fault === 'unavailable') throw new GrpcError('UNAVAILABLE', 'the driver is away');
      await act(this.volume(id));
      if (fault === 'lose answer') throw new GrpcError('DEADLINE_EXCEEDED', 'nobody heard it');
      return {};
    } finally {
      this.#busy.delete(id);
    }
  }
}
