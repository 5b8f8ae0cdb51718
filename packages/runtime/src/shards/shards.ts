import type { KubeObject, ResourceType } from '@windlass/apimachinery';
import { InvalidArgumentError, sleep, toError, withDeadline } from '@windlass/base';
import type { KindQuery } from '@windlass/client';
import { type InformerScope, type InformerTarget, ResourceNames } from '@windlass/informer';
import { DEFAULT_LEADER_ELECTION } from '../leader-election/leader-elector.ts';
import { Manager } from '../manager/manager.ts';
import type { Runnable, RunnableContext } from '../runnable.ts';
import { assignShards } from './assignment.ts';
import { type Member, RING_LABEL, RingLeases } from './ring-leases.ts';
import { SHARD_LABEL, Shard } from './shard.ts';
import { ShardSlot } from './shard-slot.ts';

/** How objects are shared between the replicas of a program. */
export interface ShardsOptions {
  /** What the leases are named after; the same in all replicas. */
  readonly name: string;
  /** Of the leases. */
  readonly namespace: string;
  /**
   * Into how many parts the objects are divided: some times the number of replicas, so that they can be spread evenly.
   * Replicas that say another number wait until those that were there first have ended. @default 12
   */
  readonly count?: number;
  /** Kinds that are divided by their uids. */
  readonly kinds: readonly (ResourceType<KubeObject> | KindQuery)[];
  /**
   * Kinds whose objects are owned by divided ones. They get the label `windlass.dev/shard` when they are created, updated
   * or applied by the manager of a shard, and its cache has only those with it. @default none
   */
  readonly owned?: readonly InformerTarget[];
  /** Adds the controllers of one shard, as to any manager. Called each time that this replica gets the shard. */
  readonly setUp: (manager: Manager, shard: Shard) => void | Promise<void>;
  /** As of an election. */
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
}

/** The most that are taken: each has a lease, and a watch for each kind. */
const MAX_COUNT = 256;
const DEFAULT_COUNT = 12;

/**
 * Shares objects between the replicas of a program, each of which works on about as many of them as the others. A part of
 * them, a shard, has a manager of its own in the replica that holds its lease, so that no object is ever in two hands.
 */
export class Shards implements Runnable {
  readonly name: string;
  readonly count: number;
  readonly #options: ShardsOptions;
  readonly #host: Manager;
  readonly #leases: RingLeases;
  readonly #slots: readonly ShardSlot[];
  readonly #timing: Pick<Required<ShardsOptions>, 'leaseDurationMs' | 'renewDeadlineMs' | 'retryPeriodMs'>;
  readonly #failed = Promise.withResolvers<never>();
  #starts = 0;
  #members: readonly Member[] = [];
  #isWaiting = false;

  constructor(host: Manager, options: ShardsOptions) {
    const { count = DEFAULT_COUNT, name, namespace } = options;
    if (!(Number.isInteger(count) && count >= 1 && count <= MAX_COUNT))
      throw new InvalidArgumentError('count', count, `a whole number from 1 to ${MAX_COUNT}`);
    if (options.kinds.length === 0)
      throw new InvalidArgumentError('kinds', options.kinds, 'the kinds that are divided, one at least');
    const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = { ...DEFAULT_LEADER_ELECTION, ...options };
    this.name = `shards of ${name}`;
    this.count = count;
    this.#options = options;
    this.#host = host;
    this.#timing = { leaseDurationMs, renewDeadlineMs, retryPeriodMs };
    const { client, identity, clock, random } = host;
    this.#leases = new RingLeases({
      client,
      namespace,
      ring: name,
      identity,
      count,
      leaseDurationMs,
      clock,
      random,
    });
    this.#slots = Array.from({ length: count }, (_, index) => this.#slot(new Shard(index, count)));
    // Nobody waits for it before the run.
    this.#failed.promise.catch(() => {});
  }

  /** The shards that this replica may work on now. */
  get held(): readonly number[] {
    return [...this.#slots.keys()].filter((index) => this.#slots[index]?.isHeld);
  }

  /** The replicas among which the shards are shared, as this one sees it. */
  get members(): readonly string[] {
    return this.#members.map(({ identity }) => identity);
  }

  async run({ signal }: RunnableContext): Promise<void> {
    const gauge = this.#host.metrics.gauge({
      name: 'windlass_shards_held',
      help: 'Shards that this replica may work on',
      labelNames: ['ring'],
    });
    const held = gauge.labels({ ring: this.#options.name });
    try {
      while (!signal.aborted) {
        await Promise.race([this.#look(signal), this.#failed.promise]);
        held.set(this.held.length);
        await Promise.race([
          sleep(this.#host.clock, this.#timing.retryPeriodMs, signal),
          this.#failed.promise,
        ]);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      await this.#stop();
      held.set(0);
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#host;
    using deadline = withDeadline(clock, this.#timing.renewDeadlineMs, 'a look at the shards', signal);
    try {
      const members = await this.#leases.look(deadline.signal);
      await this.#act(members, deadline.signal);
    } catch (thrown) {
      if (signal.aborted) return;
      // What this replica holds, it holds by the leases of the shards.
      logger.warn('could not look at the leases of the shards', { error: toError(thrown) });
    }
  }

  async #act(members: readonly Member[], signal: AbortSignal): Promise<void> {
    const self = members.find(({ isSelf }) => isSelf);
    const strangers = members.filter(({ count }) => count !== this.count);
    this.#members = strangers.length > 0 ? [] : members;
    if (strangers.length > 0) {
      this.#sayWaiting(strangers);
      await this.#dropAll();
      // The later of two waits without being in the other's way.
      if (self !== undefined && strangers.some(({ since }) => since < self.since))
        await this.#leases.leave(signal);
      return;
    }
    this.#isWaiting = false;
    if (self === undefined) {
      await this.#leases.join(signal);
      // Whoever came at the same moment is seen now, or sees this one.
      await this.#act(await this.#leases.look(signal), signal);
      return;
    }
    const own = assignShards(this.members, this.count).get(self.identity) ?? [];
    for (const [index, slot] of this.#slots.entries()) {
      if (own.includes(index)) slot.want();
      // Nobody waits for it: the next look must not be late because work goes on.
      else void slot.drop();
    }
  }

  #sayWaiting(strangers: readonly Member[]): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#host.logger.warn('waits for replicas that divide the objects into another number of shards', {
      shards: this.count,
      others: strangers.map(({ identity, count }) => `${identity}: ${count}`),
    });
  }

  #dropAll(): Promise<unknown> {
    return Promise.all(this.#slots.map((slot) => slot.drop()));
  }

  async #stop(): Promise<void> {
    const { clock, logger } = this.#host;
    await this.#dropAll();
    using deadline = withDeadline(clock, this.#timing.renewDeadlineMs, 'leaving the shards');
    await this.#leases.leave(deadline.signal).catch((thrown: unknown) => {
      logger.warn('could not leave the shards; others take over when the leases have run out', {
        error: toError(thrown),
      });
    });
  }

  #slot(shard: Shard): ShardSlot {
    const { clock, logger } = this.#host;
    return new ShardSlot({
      createManager: () => this.#manager(shard),
      clock,
      logger: logger.with({ shard: shard.name }),
      retryMs: this.#timing.retryPeriodMs,
      onError: (error) => this.#failed.reject(error),
    });
  }

  async #manager(shard: Shard): Promise<Manager> {
    const { client, clock, random, logger, metrics, identity, options } = this.#host;
    const { name, namespace, kinds, owned = [], setUp } = this.#options;
    const names = new ResourceNames();
    const [divided, labelled] = [kinds, owned].map((targets) => new Set(targets.map((t) => names.keyOf(t))));
    const isDivided = (target: InformerTarget): boolean => divided?.has(names.keyOf(target)) === true;
    const isOwned = (target: InformerTarget): boolean => labelled?.has(names.keyOf(target)) === true;
    const lease = `${name}-shard-${shard.name}`;
    const { namespaces, uncached, syncTimeoutMs, ownWriteTimeoutMs, gracefulStopMs, controllerDefaults } =
      options;
    const manager = new Manager({
      client,
      clock,
      random,
      logger: logger.with({ shard: shard.name }),
      metrics,
      ...(namespaces !== undefined && { namespaces }),
      ...(uncached !== undefined && { uncached }),
      ...(syncTimeoutMs !== undefined && { syncTimeoutMs }),
      ...(ownWriteTimeoutMs !== undefined && { ownWriteTimeoutMs }),
      ...(gracefulStopMs !== undefined && { gracefulStopMs }),
      ...(controllerDefaults !== undefined && { controllerDefaults }),
      identity,
      cache: {
        ...options.cache,
        tweakListOptions: (target, asked) => {
          const scope = options.cache?.tweakListOptions?.(target, asked) ?? asked;
          if (isDivided(target)) return { ...scope, shardSelector: shard.selector };
          return isOwned(target) ? withLabel(scope, `${SHARD_LABEL}=${shard.name}`) : scope;
        },
      },
      beforeWrite: (target, object) => (isOwned(target) ? shard.labelled(object) : object),
      part: { name: shard.name, isDivided },
      leaderElection: {
        ...this.#timing,
        name: lease,
        namespace,
        // A term that did not end in time is not taken for this one.
        identity: `${identity}/${++this.#starts}`,
        labels: { [RING_LABEL]: name },
        unchangedSince: (fingerprint) => this.#leases.unchangedSince(lease, fingerprint),
      },
    });
    await setUp(manager, shard);
    return manager;
  }
}

function withLabel(scope: InformerScope, label: string): InformerScope {
  const { labelSelector } = scope;
  const own =
    labelSelector === undefined || labelSelector.toString() === '' ? [] : [labelSelector.toString()];
  return { ...scope, labelSelector: [...own, label].join(',') };
}

/**
 * Makes the program one of several replicas that share the objects of the kinds. `setUp` is what it would have done with
 * the manager itself; it is called with a manager for each shard that this replica gets.
 */
export function addShards(manager: Manager, options: ShardsOptions): Shards {
  const shards = new Shards(manager, options);
  void manager.add(shards, 'always');
  return shards;
}
