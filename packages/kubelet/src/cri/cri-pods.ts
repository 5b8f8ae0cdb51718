import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { FoundRun, RuntimePods } from '../runtime/runtime.ts';
import { ownedBy, ownerOf } from './config/labels.ts';
import { milliseconds } from './container-exit.ts';
import type { CriClient } from './cri-client.ts';
import { ID_SCHEME } from './cri-container.ts';
import { endOfContainer } from './end-of-container.ts';
import type { Container, ContainerStatus } from './generated/cri.ts';
import type { PodFiles } from './pod-files.ts';
import type { Sandboxes } from './sandboxes.ts';
import { unmountAll } from './sub-paths.ts';

export interface CriPodsOptions {
  readonly client: CriClient;
  readonly node: string;
  readonly files: PodFiles;
  readonly sandboxes: Sandboxes;
}

/** Pods as a whole, in a container runtime. */
export class CriPods implements RuntimePods {
  readonly #options: CriPodsOptions;

  constructor(options: CriPodsOptions) {
    this.#options = options;
  }

  async ensure(pod: Cached<Pod>, signal: AbortSignal): Promise<readonly string[]> {
    return (await this.#options.sandboxes.ensure(pod, signal)).ips;
  }

  async find(pod: Cached<Pod>): Promise<readonly FoundRun[]> {
    const { client, node } = this.#options;
    const labelSelector = ownedBy(node, pod.metadata.uid);
    const { containers } = await client.listContainers({ filter: { labelSelector } });
    const found = await Promise.all(containers.map((container) => this.#run(container, pod)));
    return found.filter((run) => run !== undefined);
  }

  async end(uid: string): Promise<void> {
    const { sandboxes, files } = this.#options;
    await sandboxes.end(uid);
    await unmountAll(files.allSubPaths(uid));
  }

  async remove(uid: string): Promise<void> {
    const { sandboxes, files } = this.#options;
    await sandboxes.remove(uid);
    await unmountAll(files.allSubPaths(uid));
  }

  async removeOthers(uids: ReadonlySet<string>): Promise<void> {
    for (const uid of await this.#options.sandboxes.uids()) if (!uids.has(uid)) await this.remove(uid);
  }

  /** One that was made and never started is removed: nobody knows what became of its start. */
  async #run({ id, state }: Container, pod: Cached<Pod>): Promise<FoundRun | undefined> {
    const { client, files } = this.#options;
    if (state === 'CONTAINER_CREATED') {
      await client.removeContainer({ containerId: id });
      return undefined;
    }
    const { status } = await client.containerStatus({ containerId: id });
    if (status === undefined) return undefined;
    return {
      container: ownerOf(status.labels).container,
      attempt: status.metadata?.attempt ?? 0,
      id: `${ID_SCHEME}${id}`,
      startedAt: milliseconds(status.startedAt),
      image: imageOf(status),
      exit: status.state === 'CONTAINER_EXITED' ? await endOfContainer(status, pod, files) : undefined,
    };
  }
}

function imageOf({ image, imageRef }: ContainerStatus): FoundRun['image'] {
  return { image: image?.image ?? '', imageID: imageRef, ref: imageRef, sizeBytes: 0, wasPresent: true };
}
