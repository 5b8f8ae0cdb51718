import { describeFault } from '../plan/describe-fault.ts';
import type { DriveFault, Fault, Plan, WatchFault, When } from '../plan/fault.ts';
import type { RequestCounts } from '../world/request-counts.ts';
import type { Trace } from '../world/trace.ts';

/** A watch that can be held. */
export interface StageWatch {
  readonly request: { readonly path: string };
  hold(): void;
  release(): void;
}

/** The connection of a process, and what can happen to it. */
export interface StageWire {
  readonly watches: Iterable<StageWatch>;
  delay(addMs: number): void;
  cut(): void;
  mend(): void;
  breakWatches(matches: (watch: StageWatch) => boolean): void;
}

/** A process, and what can happen to it. */
export interface StageProcess {
  readonly isUp: boolean;
  readonly wire: StageWire | undefined;
  start(): void;
  kill(): void;
  freeze(): void;
  thaw(): void;
  /** @returns what sets it right again */
  skew(ms: number): () => void;
}

/** The machine of a node, and what can happen to its drives. */
export interface StageMachine {
  lose(drive: string): void;
  find(drive: string): void;
  fill(drive: string, isFull: boolean): void;
  slow(drive: string, isSlow: boolean): void;
}

/** Where a plan happens: a world of virtual time, or real programs. */
export interface Stage {
  readonly time: { set(owner: string, fire: () => void, delayMs: number): unknown };
  readonly trace: Trace;
  readonly requests: RequestCounts;
  readonly processes: ReadonlyMap<string, StageProcess>;
  readonly kubelet: { suspend(node: string): void; resume(node: string): void } | undefined;
  /** By node. Absent where nodes have no drives. */
  readonly machines?: ReadonlyMap<string, StageMachine>;
  serverDown(): void;
  serverUp(): void;
  /** The server forgets the past. */
  compact(): void;
}

/** Lets the faults of a plan happen on a stage, each at its time. */
export class PlanInAction {
  readonly #stage: Stage;
  /** Undoes what is still broken. */
  readonly #undo = new Set<() => void>();
  /** Faults whose time has not come, of those that come at a time. */
  #timed = 0;
  /** What lasts until the end: nobody sets a wrong clock right meanwhile. */
  readonly #onHeal: (() => void)[] = [];
  #isHealed = false;

  constructor(stage: Stage, plan: Plan) {
    this.#stage = stage;
    for (const fault of plan) this.#schedule(fault);
  }

  /** Whether all that was to happen at a time has happened and is over. */
  get isOver(): boolean {
    return this.#timed === 0 && this.#undo.size === 0;
  }

  /** Nothing is broken any more, and nothing will be. */
  heal(): void {
    this.#isHealed = true;
    this.#stage.requests.heal();
    for (const undo of this.#undo) undo();
    for (const undo of this.#onHeal) undo();
    for (const process of this.#stage.processes.values()) process.start();
  }

  #schedule(fault: Fault): void {
    if (fault.kind === 'request') return this.#stage.requests.fail(fault);
    this.#at(fault.when, () => {
      if (this.#isHealed) return;
      const process = 'process' in fault ? fault.process : 'node' in fault ? fault.node : 'server';
      this.#stage.trace.add({ type: 'fault', process, text: describeFault(fault) });
      this.#begin(fault);
    });
  }

  #at(when: When, act: () => void): void {
    if (typeof when === 'object') return this.#stage.requests.onWrite(when.by, when.write, act);
    this.#timed++;
    this.#stage.time.set(
      'plan',
      () => {
        this.#timed--;
        act();
      },
      when,
    );
  }

  #begin(fault: Exclude<Fault, { readonly kind: 'request' }>): void {
    switch (fault.kind) {
      case 'latency':
        return this.#onProcess(fault.process, ({ wire }) => {
          wire?.delay(fault.addMs);
          this.#until(fault.forMs, () => wire?.delay(0));
        });
      case 'watch':
        return this.#onProcess(fault.process, (process) => this.#watch(fault, process));
      case 'kill':
        return this.#onProcess(fault.process, (process) => {
          process.kill();
          this.#until(fault.downMs, () => process.start());
        });
      case 'freeze':
        return this.#onProcess(fault.process, (process) => {
          process.freeze();
          this.#until(fault.forMs, () => process.thaw());
        });
      case 'clock':
        return this.#onProcess(fault.process, (process) => {
          this.#onHeal.push(process.skew(fault.byMs));
        });
      case 'partition':
        return this.#onProcess(fault.process, ({ wire }) => {
          wire?.cut();
          this.#until(fault.forMs, () => wire?.mend());
        });
      case 'server':
        this.#stage.serverDown();
        if (fault.compacts === true) this.#stage.compact();
        return this.#until(fault.downMs, () => this.#stage.serverUp());
      case 'node':
        this.#stage.kubelet?.suspend(fault.node);
        return this.#until(fault.forMs, () => this.#stage.kubelet?.resume(fault.node));
      case 'drive':
        return this.#drive(fault);
      default:
        return fault satisfies never;
    }
  }

  #drive({ node, drive, effect, forMs }: DriveFault): void {
    const machine = this.#stage.machines?.get(node);
    if (machine === undefined) return;
    switch (effect) {
      case 'lost':
        machine.lose(drive);
        return this.#until(forMs, () => machine.find(drive));
      case 'full':
        machine.fill(drive, true);
        return this.#until(forMs, () => machine.fill(drive, false));
      case 'slow':
        machine.slow(drive, true);
        return this.#until(forMs, () => machine.slow(drive, false));
      default:
        return effect satisfies never;
    }
  }

  #watch({ effect, forMs = 0, resource }: WatchFault, { wire }: StageProcess): void {
    if (wire === undefined) return;
    const matches = ({ request }: StageWatch): boolean =>
      resource === undefined || request.path.endsWith(`/${resource}`);
    const dropped = (): void => {
      if (effect !== 'drop') this.#stage.compact();
      wire.breakWatches(matches);
    };
    if (effect === 'drop' || effect === 'compact') return dropped();
    const held = [...wire.watches].filter(matches);
    for (const watch of held) watch.hold();
    this.#until(forMs, () => {
      if (effect === 'gap') dropped();
      else for (const watch of held) watch.release();
    });
  }

  #onProcess(name: string, act: (process: StageProcess) => void): void {
    const process = this.#stage.processes.get(name);
    if (process?.isUp === true) act(process);
  }

  /** Undone after a while, or when everything is. */
  #until(forMs: number, undo: () => void): void {
    const once = (): void => {
      if (this.#undo.delete(once)) undo();
    };
    this.#undo.add(once);
    this.#stage.time.set('plan', once, forMs);
  }
}
