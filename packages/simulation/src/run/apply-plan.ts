import { describeFault } from '../plan/describe-fault.ts';
import type { DriveFault, Fault, Plan, WatchFault, When } from '../plan/fault.ts';
import type { SimulatedProcess } from '../world/process.ts';
import type { WireWatch } from '../world/wire-watch.ts';
import type { World } from '../world/world.ts';

/** Lets the faults of a plan happen in a world, each at its time. */
export class PlanInAction {
  readonly #world: World;
  /** Undoes what is still broken. */
  readonly #undo = new Set<() => void>();
  /** Faults whose time has not come, of those that come at a time. */
  #timed = 0;
  /** What lasts until the end: nobody sets a wrong clock right meanwhile. */
  readonly #onHeal: (() => void)[] = [];
  #isHealed = false;

  constructor(world: World, plan: Plan) {
    this.#world = world;
    for (const fault of plan) this.#schedule(fault);
  }

  /** Whether all that was to happen at a time has happened and is over. */
  get isOver(): boolean {
    return this.#timed === 0 && this.#undo.size === 0;
  }

  /** Nothing is broken any more, and nothing will be. */
  heal(): void {
    this.#isHealed = true;
    this.#world.requests.heal();
    for (const undo of this.#undo) undo();
    for (const undo of this.#onHeal) undo();
    for (const process of this.#world.processes.values()) process.start();
  }

  #schedule(fault: Fault): void {
    if (fault.kind === 'request') return this.#world.requests.fail(fault);
    this.#at(fault.when, () => {
      if (this.#isHealed) return;
      const process = 'process' in fault ? fault.process : 'node' in fault ? fault.node : 'server';
      this.#world.trace.add({ type: 'fault', process, text: describeFault(fault) });
      this.#begin(fault);
    });
  }

  #at(when: When, act: () => void): void {
    if (typeof when === 'object') return this.#world.requests.onWrite(when.by, when.write, act);
    this.#timed++;
    this.#world.time.set(
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
        return this.#onProcess(fault.process, (process) => this.#onHeal.push(process.skew(fault.byMs)));
      case 'partition':
        return this.#onProcess(fault.process, ({ wire }) => {
          wire?.cut();
          this.#until(fault.forMs, () => wire?.mend());
        });
      case 'server':
        this.#world.serverDown();
        if (fault.compacts === true) this.#world.compact();
        return this.#until(fault.downMs, () => this.#world.serverUp());
      case 'node':
        this.#world.kubelet?.suspend(fault.node);
        return this.#until(fault.forMs, () => this.#world.kubelet?.resume(fault.node));
      case 'drive':
        return this.#drive(fault);
      default:
        return fault satisfies never;
    }
  }

  #drive({ node, drive, effect, forMs }: DriveFault): void {
    const machine = this.#world.machines.get(node);
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

  #watch({ effect, forMs = 0, resource }: WatchFault, { wire }: SimulatedProcess): void {
    if (wire === undefined) return;
    const matches = ({ request }: WireWatch): boolean =>
      resource === undefined || request.path.endsWith(`/${resource}`);
    const dropped = (): void => {
      if (effect !== 'drop') this.#world.compact();
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

  #onProcess(name: string, act: (process: SimulatedProcess) => void): void {
    const process = this.#world.processes.get(name);
    if (process?.isUp === true) act(process);
  }

  /** Undone after a while, or when everything is. */
  #until(forMs: number, undo: () => void): void {
    const once = (): void => {
      if (this.#undo.delete(once)) undo();
    };
    this.#undo.add(once);
    this.#world.time.set('plan', once, forMs);
  }
}
