import type { Clock, Logger, Timer } from '@windlass/base';
import { ownedBy } from './config/labels.ts';
import type { CriClient } from './cri-client.ts';
import type { ContainerState, ContainerStatus } from './generated/cri.ts';

/** As often as other node agents look. */
const LOOK_MS = 1000;

/** How a container ended, as the runtime has it; undefined: the runtime does not know the container any more. */
export type OnEnd = (status: ContainerStatus | undefined) => Promise<void>;

export interface ContainerWatchOptions {
  readonly client: CriClient;
  readonly node: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Sees containers end, by looking at all of them once a second. Runtimes tell of it by themselves only in newer releases,
 * and what they tell may be lost with a connection: a look never misses anything.
 */
export class ContainerWatch implements Disposable {
  readonly #options: ContainerWatchOptions;
  readonly #watched = new Map<string, OnEnd>();
  #timer: Timer | undefined;
  #looking: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: ContainerWatchOptions) {
    this.#options = options;
  }

  /** @param onEnd called once, unless it is forgotten before */
  add(id: string, onEnd: OnEnd): void {
    this.#watched.set(id, onEnd);
    this.#schedule();
  }

  /** Looks at once, at what is there now. */
  async look(): Promise<void> {
    // What is under way may have begun before that which the caller wants to see.
    await this.#looking;
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
      this.#schedule();
    });
    await this.#looking;
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#watched.clear();
  }

  #schedule(): void {
    this.#timer?.cancel();
    if (this.#isClosed || this.#watched.size === 0) return;
    this.#timer = this.#options.clock.setTimeout(() => void this.look(), LOOK_MS, { keepAlive: false });
  }

  async #look(): Promise<void> {
    const { client, node, logger } = this.#options;
    const watched = [...this.#watched];
    if (watched.length === 0) return;
    try {
      const { containers } = await client.listContainers({ filter: { labelSelector: ownedBy(node) } });
      const states = new Map<string, ContainerState>(containers.map(({ id, state }) => [id, state]));
      await Promise.all(watched.map(([id, onEnd]) => this.#check(id, onEnd, states.get(id))));
    } catch (error) {
      // Nothing is known then: containers are not taken for lost because their runtime does not answer.
      if (!this.#isClosed) logger.debug('the containers cannot be listed', { error });
    }
  }

  async #check(id: string, onEnd: OnEnd, state: ContainerState | undefined): Promise<void> {
    if (state !== undefined && state !== 'CONTAINER_EXITED') return;
    const { client } = this.#options;
    const status =
      state === undefined ? undefined : (await client.containerStatus({ containerId: id })).status;
    if (this.#watched.get(id) !== onEnd) return;
    this.#watched.delete(id);
    await onEnd(status);
  }
}
