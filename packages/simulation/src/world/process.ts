import type { Transport } from '@windlass/apimachinery';
import { type Random, silentLogger, toError } from '@windlass/base';
import { Manager } from '@windlass/runtime';
import type { ProcessOptions } from '../simulation.ts';
import { ProcessClock, type VirtualTime } from '../time/virtual-time.ts';
import { Link } from './link.ts';
import type { Replica } from './replicas.ts';
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
  readonly #replica: Replica;
  readonly #environment: ProcessEnvironment;
  readonly #random: Random;
  /** It, and the wall clock, are the machine's: they are as before when the process is started again. */
  readonly link = new Link();
  #current: Incarnation | undefined = undefined;
  #skewMs = 0;
  #starts = 0;
  #failures = 0;
  #isReady = false;

  constructor(replica: Replica, environment: ProcessEnvironment) {
    const { name } = replica;
    this.name = name;
    this.#replica = replica;
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

  get starts(): number {
    return this.#starts;
  }

  start(): void {
    if (this.#current !== undefined) return;
    const { time, server, host } = this.#environment;
    const clock = new ProcessClock(time, this.name);
    clock.skew(this.#skewMs);
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
    const { program, lease, options } = this.#replica;
    const { manager: more, setUp } = options;
    const manager = new Manager({
      gracefulStopMs: 0,
      logger: silentLogger,
      ...more,
      // As a binary has one: the same for all replicas and starts.
      clientOptions: { fieldManager: program, ...more?.clientOptions },
      identity,
      transport: wire,
      clock,
      random,
      ...(lease !== undefined && { leaderElection: lease }),
    });
    const incarnation = { clock, wire, manager };
    this.#current = incarnation;
    this.link.use(wire);
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

  /** Sets the wall clock of the machine. */
  skew(byMs: number): void {
    this.#skewMs += byMs;
    this.#current?.clock.skew(byMs);
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
