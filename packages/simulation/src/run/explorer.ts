import { InvalidArgumentError } from '@windlass/base';
import { simulatedNodes } from '@windlass/kubelet';
import type { Plan } from '../plan/fault.ts';
import { generatePlan } from '../plan/generate-plan.ts';
import { shrinkPlan } from '../plan/shrink.ts';
import type { SimulationOptions } from '../simulation.ts';
import { VirtualTime } from '../time/virtual-time.ts';
import { replicasOf } from '../world/replicas.ts';
import { driveNames } from '../world/storage.ts';
import { isSameFailure } from './failure.ts';
import type { Outcome } from './outcome.ts';
import { type RunOptions, run } from './run.ts';

/** Of which seed the run without faults is taken, when nothing is wrong with it. */
const QUIET_SEED = 0;

/** How an explorer runs a program. */
export interface Runner {
  run(program: SimulationOptions, options: RunOptions): Promise<Outcome>;
  /** Faults that a seed makes last no longer. @default they last as long as they may */
  readonly longestFaultMs?: number;
}

/** Runs a program with many seeds. Knows the run without faults, with which the others are compared. */
export class Explorer {
  readonly #program: SimulationOptions;
  readonly #runner: Runner;
  #quiet: Outcome | undefined = undefined;

  /** @param runner how one run is done; the default is in virtual time */
  constructor(program: SimulationOptions, runner: Runner = { run }) {
    this.#program = program;
    this.#runner = runner;
  }

  /** The run without any fault: what the plans are made from, and what the end must be. */
  async quiet(): Promise<Outcome> {
    this.#quiet ??= await this.#runner.run(this.#program, { seed: QUIET_SEED, plan: [] });
    return this.#quiet;
  }

  /** What goes wrong with a seed. */
  async planOf(seed: number): Promise<Plan> {
    requireSeed(seed);
    const { plan, faults, faultsOn } = this.#program;
    if (plan !== undefined) return plan;
    const { workloadMs, counts, calls, watched } = await this.quiet();
    const own = replicasOf(this.#program).map(({ name }) => name);
    const { nodes = 0 } = this.#program;
    const nodeNames = typeof nodes === 'number' ? numbered(nodes) : nodes.map(({ name }) => name);
    return generatePlan(new VirtualTime(seed).randomFor('plan'), {
      processes: faultsOn ?? own,
      nodes: nodeNames,
      drives: driveNames(this.#program),
      kinds: faults,
      workloadMs,
      counts,
      calls,
      watched,
      longestMs: this.#runner.longestFaultMs,
    });
  }

  /** The run of a seed, with the plan that the seed makes or another. */
  async run(
    seed: number,
    options: { readonly plan?: Plan; readonly traced?: boolean; readonly journalled?: boolean } = {},
  ): Promise<Outcome> {
    const quiet = await this.quiet();
    // What is wrong without any fault is wrong with all seeds.
    if (quiet.failure !== undefined) return this.#again(quiet, seed, options);
    const { plan = await this.planOf(seed), ...rest } = options;
    return this.#runner.run(this.#program, { seed, plan, expected: quiet.endState, ...rest });
  }

  /** The run of the smallest plan that fails in the same way, with its trace. */
  async shrink(failed: Outcome, maxRuns?: number): Promise<Outcome> {
    const { failure, seed } = failed;
    if (failure === undefined) throw new InvalidArgumentError('failed', seed, 'a run that failed');
    const plan = await shrinkPlan(
      failed.plan,
      async (candidate) => {
        const again = await this.run(seed, { plan: candidate });
        return again.failure !== undefined && isSameFailure(again.failure, failure);
      },
      maxRuns,
    );
    return this.run(seed, { plan, traced: true });
  }

  async #again(
    quiet: Outcome,
    seed: number,
    { traced = false, journalled = false }: { readonly traced?: boolean; readonly journalled?: boolean },
  ): Promise<Outcome> {
    if (!traced && !journalled) return { ...quiet, seed };
    return {
      ...(await this.#runner.run(this.#program, { seed: QUIET_SEED, plan: [], traced, journalled })),
      seed,
    };
  }
}

function numbered(count: number): string[] {
  return simulatedNodes(count).map(({ name }) => name);
}

function requireSeed(seed: number): void {
  if (!Number.isInteger(seed) || seed < 0)
    throw new InvalidArgumentError('seed', seed, 'a whole number of at least 0');
}
