import type { DeepReadonly, KubeObject, ResourceType, Transport } from '@windlass/apimachinery';
import { FlowSchema, PriorityLevelConfiguration } from '@windlass/apimachinery/api/flowcontrol/v1';
import type { Clock, Logger, Random, Timer } from '@windlass/base';
import { type Follower, StoreFollower } from '../../access/store-follower.ts';
import type { Store, StoreKey } from '../../storage/store.ts';
import type { FlowControl } from '../flow-control.ts';
import { planConfiguration } from './plan-configuration.ts';
import { StatusWriter } from './status-writer.ts';

export interface FlowConfigurationOptions {
  readonly store: Store;
  /** Of the server itself, as an administrator. */
  readonly transport: Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly flowControl: FlowControl;
}

/** How often seats are divided anew. */
const ADJUST_EVERY_MS = 10_000;

/** Makes what is stored of flow schemas and priority levels count, and keeps their status. */
export class FlowConfiguration implements AsyncDisposable {
  readonly #options: FlowConfigurationOptions;
  readonly #levels = new Map<StoreKey, DeepReadonly<PriorityLevelConfiguration>>();
  readonly #schemas = new Map<StoreKey, DeepReadonly<FlowSchema>>();
  readonly #followers: readonly Follower[];
  readonly #status: StatusWriter;
  #isStarted = false;
  #timer: Timer | undefined = undefined;

  constructor(options: FlowConfigurationOptions) {
    this.#options = options;
    this.#status = new StatusWriter(options);
    this.#followers = [
      this.#follow(PriorityLevelConfiguration, this.#levels),
      this.#follow(FlowSchema, this.#schemas),
    ];
  }

  /** Resolves when everything that is stored counts, and each flow schema has its status. */
  async start(): Promise<void> {
    // Levels first: a schema whose level is not known yet would seem to dangle.
    for (const follower of this.#followers) await follower.start();
    this.#isStarted = true;
    this.#apply();
    await this.#status.settled();
  }

  /** Divides the seats from time to time from now on. A server that only serves its own process need not. */
  keepAdjusting(): void {
    const { clock, flowControl } = this.#options;
    this.#timer?.cancel();
    this.#timer = clock.setTimeout(
      () => {
        if (flowControl.hasIdleRest) this.#apply();
        else flowControl.adjustLimits();
        this.keepAdjusting();
      },
      ADJUST_EVERY_MS,
      { keepAlive: false },
    );
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#timer?.cancel();
    await Promise.all(this.#followers.map((follower) => follower.stop()));
    await this.#status.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #follow<T extends KubeObject>(
    type: ResourceType<T>,
    objects: Map<StoreKey, DeepReadonly<T>>,
  ): StoreFollower<T> {
    const { store, logger } = this.#options;
    return new StoreFollower({
      store,
      logger,
      type,
      onState: (key, object) => {
        if (object === undefined) objects.delete(key);
        else objects.set(key, object);
      },
      onSettled: () => {
        if (this.#isStarted) this.#apply();
      },
    });
  }

  #apply(): void {
    const { flowControl, logger } = this.#options;
    const plan = planConfiguration([...this.#levels.values()], [...this.#schemas.values()]);
    for (const name of plan.broken)
      logger.warn('a priority level cannot be used as it is; it counts as if it were not there', { name });
    flowControl.configure(plan);
    this.#status.write(plan.references);
  }
}
