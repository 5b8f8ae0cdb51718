import type { Transport } from '@windlass/apimachinery';
import { type Random, silentLogger, toError } from '@windlass/base';
import { Manager } from '@windlass/runtime';
import type { ProcessOptions } from '../simulation.ts';
import { ProcessClock, type VirtualTime } from '../time/virtual-time.ts';
import { Wire, type WireHost } from './wire.ts';

/** A process that ended by itself is started again after a while, each time a little later. */
const RESTART_MS = 1000;
const MAX_RESTART_MS = 10_000;

export interface ProcessEnvironment {
  readonly time: VirtualTime;
  readonly server: Transport;
  readonly host: WireHost;
  /** Says what becomes of the process, for the timeline. */
  readonly tell: (text: string) => void;
  /** It could not even be set up: the program is wrong. */
  readonly onBroken: (error: Error) => void;
}

/** What one start of a process consists of. */
interface Incarnation {
  readonly clock: ProcessClock;
  readonly wire: Wire;
  readonly manager: Manager;
}

/** A process of the run: it has a clock, a connection and caches of its own, and can be killed. */
export class SimulatedProcess {
  readonly name: string;
  readonly #options: ProcessOptions;
  readonly #environment: ProcessEnvironment;
  readonly #random: Random;
  #current: Incarnation | undefined = undefined;
  #starts = 0;
  #failures = 0;
  #isReady = false;

  constructor(name: string, options: ProcessOptions, environment: ProcessEnvironment) {
    this.name = name;
    this.#options = options;
    this.#environment = environment;
    this.#random = environment.time.randomFor(`process ${name}`);
  }

  /** Who it is in leases; undefined while it is down. */
  get identity(): string | undefined {
    return this.#current?.manager.identity;
  }

  get manager(): Manager | undefined {
    return this.#current?.manager;
  }

  get isUp(): boolean {
    return this.#current !== undefined;
  }

  /** Whether its manager has started. */
  get isReady(): boolean {
    return this.#isReady;
  }

  start(): void {
    if (this.#current !== undefined) return;
    const { time, server, host } = this.#environment;
    const clock = new ProcessClock(time, this.name);
    const random = this.#random;
    const wire = new Wire({
      process: this.name,
      time,
      clock,
      random: time.randomFor(`wire ${this.name} ${this.#starts}`),
      server,
      host,
    });
    const identity = `${this.name}-${this.#starts++}`;
    const { leaderElection = false, manager: more, setUp } = this.#options;
    const lease =
      leaderElection === true
        ? { name: this.name.replace(/-\d+$/, ''), namespace: 'default' }
        : leaderElection;
    const manager = new Manager({
      gracefulStopMs: 0,
      logger: silentLogger,
      ...more,
      // As a binary has one: the same for all replicas and starts.
      clientOptions: { fieldManager: this.name.replace(/-\d+$/, ''), ...more?.clientOptions },
      identity,
      transport: wire,
      clock,
      random,
      ...(lease !== false && { leaderElection: lease }),
    });
    const incarnation = { clock, wire, manager };
    this.#current = incarnation;
    void this.#run(incarnation, setUp);
  }

  /** Gone at once, in the middle of whatever it does. */
  kill(): void {
    const { clock, wire } = this.#current ?? {};
    this.#current = undefined;
    this.#isReady = false;
    clock?.end();
    wire?.end();
  }

  freeze(): void {
    this.#current?.clock.freeze();
  }

  thaw(): void {
    this.#current?.clock.thaw();
  }

  get isFrozen(): boolean {
    return this.#current?.clock.isFrozen ?? false;
  }

  /** Sets the wall clock. @returns the way to set it right; a start of the process has done so, too */
  skew(ms: number): () => void {
    const clock = this.#current?.clock;
    clock?.skew(ms);
    return () => clock?.skew(-ms);
  }

  get wire(): Wire | undefined {
    return this.#current?.wire;
  }

  async #run(incarnation: Incarnation, setUp: ProcessOptions['setUp']): Promise<void> {
    const { tell, onBroken, time } = this.#environment;
    const { manager } = incarnation;
    const isCurrent = (): boolean => this.#current === incarnation;
    try {
      await setUp(manager);
    } catch (error) {
      return onBroken(toError(error));
    }
    const never = new AbortController();
    try {
      const running = manager.run(never.signal);
      void this.#noteReady(incarnation);
      await running;
    } catch (error) {
      if (!isCurrent()) return;
      this.kill();
      const waitMs = Math.min(MAX_RESTART_MS, RESTART_MS * 2 ** this.#failures++);
      tell(`ends: ${toError(error).message}; it is started again in ${waitMs / 1000} s`);
      time.set(this.name, () => this.start(), waitMs);
    }
  }

  async #noteReady(incarnation: Incarnation): Promise<void> {
    const { clock, manager } = incarnation;
    while (this.#current === incarnation && !this.#isReady) {
      if (manager.lifecycle === 'running') this.#isReady = true;
      else await new Promise<void>((resolve) => void clock.setTimeout(resolve, 20));
    }
  }
}
