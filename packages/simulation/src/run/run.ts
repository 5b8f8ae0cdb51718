import { nextTurn, toError } from '@windlass/base';
import { listen } from '@windlass/runtime';
import { Activity, QUIET_MS, unrest } from '../oracles/activity.ts';
import type { EndState } from '../oracles/end-state.ts';
import { FormerLeaders } from '../oracles/former-leader.ts';
import { checkPlan } from '../plan/check-plan.ts';
import type { Plan } from '../plan/fault.ts';
import type { Check, SimulationOptions } from '../simulation.ts';
import { State } from '../state.ts';
import { type Booted, bootedServer } from '../world/booted.ts';
import { isHeartbeat } from '../world/journal.ts';
import { replicasOf } from '../world/replicas.ts';
import { driveNames } from '../world/storage.ts';
import { World } from '../world/world.ts';
import { PlanInAction } from './apply-plan.ts';
import { checkProgram } from './check-program.ts';
import { endOf } from './end.ts';
import type { Failure, OracleName } from './failure.ts';
import { formatDrives } from './format-drives.ts';
import { invariantsOf } from './invariants.ts';
import { judge } from './judge.ts';
import { deleteAll, leftBehind } from './objects.ts';
import type { Outcome } from './outcome.ts';
import { simulatedUser } from './user.ts';

const MINUTE = 60_000;
const START_WITHIN_MS = 5 * MINUTE;
const WORKLOAD_WITHIN_MS = 240 * MINUTE;
const REST_WITHIN_MS = 20 * MINUTE;
/** So long nothing is written before the workload begins. */
const WARM_MS = 3000;
/** An invariant that is not done after so many turns of the event loop waits for something else than the server. */
const MAX_CHECK_TURNS = 200_000;
/** Whoever does so much at one moment does not let time pass. */
const MAX_STEPS_AT_ONCE = 100_000;

export interface RunOptions {
  readonly seed: number;
  readonly plan: Plan;
  /** What the end is without faults. @default it is not compared */
  readonly expected?: EndState | undefined;
  /** Keeps what happens, for a timeline. @default false */
  readonly traced?: boolean;
  /** Keeps every write as text. @default false */
  readonly journalled?: boolean;
}

/** One run of a program: it follows from the program, the seed and the plan. */
export async function run(program: SimulationOptions, options: RunOptions): Promise<Outcome> {
  return new Run(program, options, await bootedServer()).whole();
}

class Run {
  readonly #program: SimulationOptions;
  readonly #options: RunOptions;
  readonly #world: World;
  readonly #activity = new Activity();
  readonly #leaders: FormerLeaders;
  readonly #always: readonly (readonly [string, Check])[];
  #failure: Failure | undefined = undefined;
  #hasNews = false;
  /** How many writes the invariants have seen. */
  #checked = 0;
  #workloadMs = 0;
  #watched: Outcome['watched'] = {};
  #endState: EndState | undefined = undefined;

  constructor(program: SimulationOptions, options: RunOptions, booted: Booted) {
    this.#program = program;
    this.#options = options;
    this.#leaders = new FormerLeaders(replicasOf(program));
    this.#always = invariantsOf(program, 'always');
    this.#world = new World(program, options.seed, booted, {
      onWrite: (entry, sentAtMs) => {
        this.#activity.wrote(entry);
        this.#hasNews ||= !isHeartbeat(entry);
        const wrong = this.#leaders.check(entry, sentAtMs);
        if (wrong !== undefined) this.#fail('former leader', wrong);
      },
      onBroken: (process, error) =>
        this.#fail('program', `process "${process}" cannot be set up: ${error.message}`),
    });
    this.#world.trace.isOn = options.traced ?? false;
    const { nodeNames, otherNames } = this.#world;
    const processes = [...this.#world.processes.keys()];
    checkProgram(program, { others: otherNames, processes, quietMs: QUIET_MS });
    checkPlan(options.plan, {
      processes,
      nodes: nodeNames,
      drives: driveNames(program),
    });
  }

  async whole(): Promise<Outcome> {
    const { time, trace } = this.#world;
    const onRejection = (reason: unknown): void =>
      this.#fail('unhandled rejection', `a promise was rejected and nobody cared: ${toError(reason).stack}`);
    process.on('unhandledRejection', onRejection);
    using _runs = listen('windlass:reconcile', (report) => {
      this.#activity.ran(time.current, report);
      const how = report.error === undefined ? report.result : `${report.result}: ${report.error.message}`;
      trace.add({
        type: 'result',
        process: time.current,
        text: `${report.controller} ${String(report.key)}: ${how}`,
      });
    });
    using _starts = listen('windlass:reconcile:start', ({ controller, key, reasons }) => {
      if (!trace.isOn) return;
      const why = reasons.kept.map(({ type, source, object }) => `${type} of ${object ?? source}`).join(', ');
      trace.add({
        type: 'run',
        process: time.current,
        text: `${controller} ${String(key)} because of ${why}`,
      });
    });
    try {
      await this.#phases();
    } finally {
      await this.#world.stop();
      await time.settle();
      process.off('unhandledRejection', onRejection);
    }
    return this.#outcome();
  }

  async #phases(): Promise<void> {
    const world = this.#world;
    await world.start();
    const isUp = (): boolean => [...world.processes.values()].every(({ isReady }) => isReady);
    if (!(await this.#drive(isUp, START_WITHIN_MS)))
      return this.#fail('program', `the processes do not start: ${unrest(world) ?? ''}`);
    if (!(await this.#format())) return;
    if (!(await this.#rest(WARM_MS, REST_WITHIN_MS))) return this.#notAtRest('before the workload began');
    if (!(await this.#workload())) return;
    this.#phase('the faults are over');
    this.#activity.reset(world.time.elapsedMs);
    if (!(await this.#rest(QUIET_MS, this.#program.restWithinMs ?? REST_WITHIN_MS)))
      return this.#notAtRest('after the faults were over');
    this.#phase('rest');
    await this.#atRest();
    if (this.#failure !== undefined || this.#program.deletesAll === false) return;
    await this.#deletion();
  }

  /** Makes drives of the devices of all nodes. */
  async #format(): Promise<boolean> {
    const world = this.#world;
    if (world.machines.size === 0) return true;
    let isDone = false;
    void formatDrives(world)
      .catch((error: unknown) =>
        this.#fail('program', `drives cannot be formatted: ${toError(error).message}`),
      )
      .then(() => {
        isDone = true;
      });
    const isOver = await this.#drive(() => isDone, START_WITHIN_MS);
    if (!isOver) this.#fail('program', 'drives are not formatted in time');
    return isOver;
  }

  async #workload(): Promise<boolean> {
    const world = this.#world;
    const { time } = world;
    this.#phase('the workload begins');
    world.requests.begin();
    world.calls.begin();
    const beganMs = time.elapsedMs;
    const plan = new PlanInAction(world, this.#options.plan);
    let isDone = false;
    const user = simulatedUser(world);
    void Promise.resolve()
      .then(() => this.#program.workload(user))
      .catch((error: unknown) => this.#fail('program', `the workload failed: ${toError(error).message}`))
      .then(() => {
        isDone = true;
        this.#workloadMs = time.elapsedMs - beganMs;
      });
    const isOver = await this.#drive(() => isDone && plan.isOver, WORKLOAD_WITHIN_MS);
    this.#watched = Object.fromEntries(
      [...world.processes].map(([name, { wire }]) => [name, wire?.watchedResources ?? []]),
    );
    plan.heal();
    if (this.#failure !== undefined) return false;
    if (!isOver)
      this.#fail('program', `the workload did not end within ${WORKLOAD_WITHIN_MS / MINUTE} virtual minutes`);
    return isOver;
  }

  async #atRest(): Promise<void> {
    const world = this.#world;
    const spinning = this.#activity.spinning(world.ownNames);
    if (spinning !== undefined)
      return this.#fail('hot loop', `at rest nobody has anything to do, but ${spinning}`);
    for (const [name, check] of invariantsOf(this.#program, 'atRest')) await this.#check(name, check);
    if (this.#failure !== undefined) return;
    const { endState, wrong } = await endOf(world, this.#program, this.#options.expected);
    this.#endState = endState;
    if (wrong !== undefined) this.#fail(wrong.oracle, wrong.message);
  }

  async #deletion(): Promise<void> {
    const world = this.#world;
    this.#phase('everything is deleted');
    this.#activity.reset(world.time.elapsedMs);
    await deleteAll(world);
    if (!(await this.#rest(QUIET_MS, this.#program.restWithinMs ?? REST_WITHIN_MS)))
      return this.#notAtRest('after everything was deleted');
    const left = await leftBehind(world);
    if (left.length > 0)
      this.#fail('left behind', `after everything was deleted there is still:\n  ${left.join('\n  ')}`);
    for (const [name, check] of invariantsOf(this.#program, 'afterDeletion')) await this.#check(name, check);
  }

  /** Moves time until it is over, something is wrong, or so much time has passed: then false. */
  async #drive(isOver: () => boolean, withinMs: number): Promise<boolean> {
    const { time } = this.#world;
    const untilMs = time.elapsedMs + withinMs;
    let verdict: boolean | undefined;
    let stepsAtOnce = 0;
    const goOn = (): boolean => {
      if (this.#failure !== undefined) verdict = false;
      else if (isOver()) verdict = true;
      else {
        this.#world.beginStep();
        const beforeMs = time.elapsedMs;
        const isStep = time.step(untilMs);
        stepsAtOnce = time.elapsedMs === beforeMs ? stepsAtOnce + 1 : 0;
        if (stepsAtOnce > MAX_STEPS_AT_ONCE)
          this.#fail('program', `${time.current} waits 0 ms again and again, so that time stands still`);
        if (isStep) return true;
        verdict = false;
      }
      return false;
    };
    for (;;) {
      await time.settled(() => !this.#hasNews && goOn());
      if (this.#hasNews) {
        await this.#checkAlways();
        // What the checks ask moves no time, so that the next step is as it would have been without them.
        goOn();
      }
      if (verdict !== undefined) return verdict;
    }
  }

  /** Until nobody has written for a while and nobody has anything to do. */
  #rest(quietMs: number, withinMs: number): Promise<boolean> {
    const { time } = this.#world;
    const begunMs = time.elapsedMs;
    return this.#drive(() => {
      const endless = this.#activity.endless(this.#world.ownNames);
      if (endless !== undefined) this.#fail('hot loop', `it never comes to rest: ${endless}`);
      const sinceMs = Math.max(begunMs, this.#activity.lastWriteMs);
      return time.elapsedMs - sinceMs >= quietMs && unrest(this.#world) === undefined;
    }, withinMs);
  }

  async #checkAlways(): Promise<void> {
    this.#hasNews = false;
    for (const [name, check] of this.#always) await this.#check(name, check);
    this.#checked = this.#world.journal.entries.length;
  }

  async #check(name: string, check: Check): Promise<void> {
    if (this.#failure !== undefined) return;
    const { client, time, journal, machines } = this.#world;
    const state = new State({
      client,
      elapsedMs: time.elapsedMs,
      journal: journal.entries,
      checked: this.#checked,
      machines,
    });
    const wrong = await judge(check, state, (isOver) => turnsUntil(isOver, MAX_CHECK_TURNS));
    if (wrong !== undefined) this.#fail('invariant', wrong, name);
  }

  #notAtRest(when: string): void {
    if (this.#failure !== undefined) return;
    const hot = this.#activity.wakesItself();
    if (hot !== undefined) return this.#fail('hot loop', `there is no rest ${when}: ${hot}`);
    const why = unrest(this.#world);
    this.#fail(
      'rest',
      `there is no rest ${when}${why === undefined ? '' : `; ${why}`}:${this.#activity.busiest()}`,
    );
  }

  #fail(oracle: OracleName, message: string, name?: string): void {
    if (this.#failure !== undefined) return;
    this.#failure = {
      oracle,
      message,
      atMs: this.#world.time.elapsedMs,
      ...(name !== undefined && { name }),
    };
    this.#world.trace.add({ type: 'phase', process: '', text: `${name ?? oracle}: ${message}` });
  }

  #phase(text: string): void {
    this.#world.trace.add({ type: 'phase', process: '', text });
  }

  #outcome(): Outcome {
    const { journal, time, requests, processes, trace } = this.#world;
    const counts = Object.fromEntries(
      [...processes.keys(), 'user'].map((name) => [
        name,
        { writes: requests.writesOf(name), reads: requests.readsOf(name) },
      ]),
    );
    return {
      seed: this.#options.seed,
      plan: this.#options.plan,
      failure: this.#failure,
      digest: journal.digest(),
      virtualMs: time.elapsedMs,
      isVirtual: true,
      writes: journal.entries.length,
      workloadMs: this.#workloadMs,
      counts,
      calls: this.#world.calls.made(),
      watched: this.#watched,
      endState: this.#endState,
      trace: trace.entries,
      journal: this.#options.journalled === true ? journal.text() : '',
    };
  }
}

async function turnsUntil(isOver: () => boolean, maxTurns: number): Promise<void> {
  for (let turn = 0; turn < maxTurns && !isOver(); turn++) await nextTurn();
}
