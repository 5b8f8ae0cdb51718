import { describeFault } from '../plan/describe-fault.ts';
import type { DriveFault, Fault, FreezeFault, Plan, WatchFault, When } from '../plan/fault.ts';
import type { Stage, StageProcess, StageWatch } from './stage.ts';

/** Lets the faults of a plan happen on a stage, each at its time. */
export class PlanInAction {
  readonly #stage: Stage;
  /** Undoes what is still broken. */
  readonly #undo = new Set<() => void>();
  /** How many faults at this time keep something from being as it should, by what it is. */
  readonly #lasting = new Map<string, number>();
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
    this.#stage.calls?.heal();
    for (const undo of this.#undo) undo();
    for (const undo of this.#onHeal) undo();
    for (const process of this.#stage.processes.values()) process.start();
  }

  #schedule(fault: Fault): void {
    if (fault.kind === 'request') return this.#stage.requests.fail(fault);
    if (fault.kind === 'call') return this.#stage.calls?.fail(fault);
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

  #begin(fault: Exclude<Fault, { readonly kind: 'request' | 'call' }>): void {
    const stage = this.#stage;
    switch (fault.kind) {
      case 'latency': {
        const link = stage.processes.get(fault.process)?.link;
        link?.delay(fault.addMs);
        return this.#until(fault.forMs, () => link?.delay(-fault.addMs));
      }
      case 'watch':
        return this.#ifUp(fault.process, (process) => this.#watch(fault, process));
      case 'kill':
        return this.#ifUp(fault.process, (process) => {
          process.kill();
          this.#until(fault.downMs, () => process.start());
        });
      case 'freeze':
        return this.#ifUp(fault.process, (process) => this.#freeze(fault, process));
      case 'clock': {
        const process = stage.processes.get(fault.process);
        process?.skew(fault.byMs);
        return void this.#onHeal.push(() => process?.skew(-fault.byMs));
      }
      case 'partition': {
        const link = stage.processes.get(fault.process)?.link;
        return this.#during(
          `partition ${fault.process}`,
          fault.forMs,
          () => link?.cut(),
          () => link?.mend(),
        );
      }
      case 'server':
        this.#during(
          'server',
          fault.downMs,
          () => stage.serverDown(),
          () => stage.serverUp(),
        );
        return fault.compacts === true ? stage.compact() : undefined;
      case 'node':
        return this.#during(
          `node ${fault.node}`,
          fault.forMs,
          () => stage.kubelet?.suspend(fault.node),
          () => stage.kubelet?.resume(fault.node),
        );
      case 'drive':
        return this.#drive(fault);
      default:
        return fault satisfies never;
    }
  }

  #drive({ node, drive, effect, forMs }: DriveFault): void {
    const machine = this.#stage.machines?.get(node);
    if (machine === undefined) return;
    const during = (begin: () => void, end: () => void): void =>
      this.#during(`drive ${node} ${drive} ${effect}`, forMs, begin, end);
    switch (effect) {
      case 'lost':
        return during(
          () => machine.lose(drive),
          () => machine.find(drive),
        );
      case 'full':
        return during(
          () => machine.fill(drive, true),
          () => machine.fill(drive, false),
        );
      case 'slow':
        return during(
          () => machine.slow(drive, true),
          () => machine.slow(drive, false),
        );
      default:
        return effect satisfies never;
    }
  }

  /** Who stands still and is killed does not stand still when it is back. */
  #freeze({ process: name, forMs }: FreezeFault, process: StageProcess): void {
    const { starts } = process;
    this.#during(
      `freeze ${name} ${starts}`,
      forMs,
      () => process.freeze(),
      () => {
        if (process.starts === starts) process.thaw();
      },
    );
  }

  /** These are connections: those that are opened meanwhile, also by the next start of the process, are as they should. */
  #watch({ effect, forMs = 0, resource }: WatchFault, { link }: StageProcess): void {
    const matches = ({ request }: StageWatch): boolean =>
      resource === undefined || request.path.endsWith(`/${resource}`);
    const watches = [...link.watches].filter(matches);
    const broken = (): void => {
      if (effect !== 'drop') this.#stage.compact();
      for (const watch of watches) watch.break();
    };
    if (effect === 'drop' || effect === 'compact') return broken();
    for (const watch of watches) watch.hold();
    this.#until(forMs, () => {
      if (effect === 'gap') broken();
      else for (const watch of watches) watch.release();
    });
  }

  #ifUp(name: string, act: (process: StageProcess) => void): void {
    const process = this.#stage.processes.get(name);
    if (process?.isUp === true) act(process);
  }

  /** Of two faults that do the same to the same and overlap, the later end is the end. */
  #during(what: string, forMs: number, begin: () => void, end: () => void): void {
    const count = this.#lasting.get(what) ?? 0;
    this.#lasting.set(what, count + 1);
    if (count === 0) begin();
    this.#until(forMs, () => {
      const left = (this.#lasting.get(what) ?? 0) - 1;
      this.#lasting.set(what, left);
      if (left === 0) end();
    });
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
