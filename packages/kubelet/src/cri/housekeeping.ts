import { readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock, Logger, Timer } from '@windlass/base';
import { ownedBy, ownerOf } from './config/labels.ts';
import type { CriClient } from './cri-client.ts';
import { bytesToFree, type Disk, imagesToRemove, oldRuns } from './garbage.ts';
import { MAX_LOG_BYTES, rotatedName, tooMany } from './logs/rotation.ts';
import type { PodFiles } from './pod-files.ts';

export interface HousekeepingOptions {
  readonly client: CriClient;
  readonly node: string;
  readonly files: PodFiles;
  readonly clock: Clock;
  readonly logger: Logger;
  /** A log that is longer is put aside. @default 10 MiB */
  readonly maxLogBytes?: number | undefined;
  /** How full the disk is that an image is on. @default as its file system says */
  readonly diskOf?: ((mountpoint: string) => Promise<Disk>) | undefined;
}

const EVERY_MS = 10_000;
/** Images are looked at less often: nothing fills a disk within seconds. */
const IMAGES_EVERY = 30;

/** Removes what is no longer needed in a runtime, now and then: old runs, long logs, images that nobody uses. */
export class Housekeeping implements Disposable {
  readonly #options: HousekeepingOptions;
  readonly #lastUsed = new Map<string, number>();
  #rounds = 0;
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
  }

  /** From now on, until it is disposed of. */
  start(): void {
    if (this.#isClosed) return;
    this.#timer = this.#options.clock.setTimeout(() => void this.#round(), EVERY_MS, { keepAlive: false });
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
  }

  async #round(): Promise<void> {
    try {
      await this.rotateLogs();
      await this.removeOldRuns();
      if (this.#rounds++ % IMAGES_EVERY === 0) await this.removeImages();
    } catch (error) {
      if (!this.#isClosed) this.#options.logger.debug('the runtime could not be tidied up', { error });
    }
    this.start();
  }

  async removeOldRuns(): Promise<void> {
    const { client, node, files } = this.#options;
    const { containers } = await client.listContainers({ filter: { labelSelector: ownedBy(node) } });
    for (const { id, labels, metadata } of oldRuns(containers)) {
      await client.removeContainer({ containerId: id });
      await files.removeRun(ownerOf(labels), metadata?.attempt ?? 0);
    }
  }

  /** The runtime goes on in a new file; what was written is kept for a while. */
  async rotateLogs(): Promise<void> {
    const { client, node, clock, maxLogBytes = MAX_LOG_BYTES } = this.#options;
    const { containers } = await client.listContainers({
      filter: { labelSelector: ownedBy(node), state: { state: 'CONTAINER_RUNNING' } },
    });
    for (const { id } of containers) {
      const { status } = await client.containerStatus({ containerId: id });
      const path = status?.logPath ?? '';
      const size =
        path === ''
          ? 0
          : await stat(path).then(
              (found) => found.size,
              () => 0,
            );
      if (size <= maxLogBytes) continue;
      const aside = rotatedName(path, clock.now());
      await rename(path, aside);
      try {
        await client.reopenContainerLog({ containerId: id });
      } catch (error) {
        // It still writes to the file that was put aside.
        await rename(aside, path);
        throw error;
      }
      const folder = dirname(path);
      for (const name of tooMany(await readdir(folder), basename(path))) await rm(join(folder, name));
    }
  }

  /** What every sandbox runs; runtimes that say so mark it as one to keep. Empty when it is not known. */
  async #sandboxImage(): Promise<string> {
    const { info } = await this.#options.client.status({ verbose: true });
    return /"sandboxImage":\s*"([^"]+)"/.exec(info['config'] ?? '')?.[1] ?? '';
  }

  async removeImages(): Promise<void> {
    const { client, clock, logger, diskOf = fileSystem } = this.#options;
    const { imageFilesystems } = await client.imageFsInfo({});
    const mountpoint = imageFilesystems[0]?.fsId?.mountpoint ?? '';
    if (mountpoint === '') return;
    const { images } = await client.listImages({});
    const { containers } = await client.listContainers({});
    const refs = new Set(containers.flatMap(({ imageRef, image }) => [imageRef, image?.image ?? '']));
    refs.add(await this.#sandboxImage());
    const inUse = new Set(
      images
        .filter(({ id, repoTags, repoDigests }) =>
          [id, ...repoTags, ...repoDigests].some((name) => refs.has(name)),
        )
        .map(({ id }) => id),
    );
    for (const id of inUse) this.#lastUsed.set(id, clock.now());
    const bytes = bytesToFree(await diskOf(mountpoint));
    if (bytes === 0) return;
    for (const { id, repoTags } of imagesToRemove(images, inUse, this.#lastUsed, bytes)) {
      await client.removeImage({ image: { image: id } });
      logger.info('an image was removed, because the disk is full and nobody uses it', {
        image: repoTags[0] ?? id,
      });
    }
  }
}

async function fileSystem(mountpoint: string): Promise<Disk> {
  const { blocks, bavail, bsize } = await statfs(mountpoint);
  return { capacityBytes: blocks * bsize, freeBytes: bavail * bsize };
}
