import { type Clock, InvalidArgumentError, realClock, SeededRandom, toError } from '@windlass/base';
import { Activity } from '../oracles/activity.ts';
import type { EndState } from '../oracles/end-state.ts';
import { checkPlan } from '../plan/check-plan.ts';
import { milliseconds } from '../plan/check-values.ts';
import { FAULT_KINDS, type FaultKind } from '../plan/fault.ts';
import { PlanInAction } from '../run/apply-plan.ts';
import { checkProgram } from '../run/check-program.ts';
import { endOf } from '../run/end.ts';
import { Explorer } from '../run/explorer.ts';
import type { Failure, OracleName } from '../run/failure.ts';
import { invariantsOf } from '../run/invariants.ts';
import { judge } from '../run/judge.ts';
import { deleteAll, leftBehind } from '../run/objects.ts';
import type { Outcome } from '../run/outcome.ts';
import type { RunOptions } from '../run/run.ts';
import type { Check, SimulationOptions, User } from '../simulation.ts';
import { State } from '../state.ts';
import { isHeartbeat } from '../world/journal.ts';
import { USER } from '../world/world.ts';
import { EXEC, ExecWorld } from './exec-world.ts';

const START_WITHIN_MS = 60_000;
const WORKLOAD_WITHIN_MS = 60 * 60_000;
const UNTIL_MS = 120_000;
const REST_WITHIN_MS = 180_000;
const CHECK_WITHIN_MS = 60_000;
const QUIET_MS = 5000;
const WARM_MS = 2500;
/** A program that ends by itself so often in a row cannot work. */
const MAX_FAILURES = 5;
/** At rest a program may send so many writes that change nothing within `quietMs`. */
const MAX_IDLE_WRITES = 10;
/** Seeds make no longer faults than this: their time is real. */
const LONGEST_FAULT_MS = 8000;
const LAST_LINES = 10;

/** What can happen to a real program. Its clock is the machine's, so that is left out. */
export const EXEC_FAULT_KINDS: readonly FaultKind[] = FAULT_KINDS.filter((kind) => kind !== 'clock');

/** A program in any language, and how it is run. */
export interface ExecOptions {
  /**
   * The command line. The environment has KUBECONFIG. `{kubeconfig}` is replaced by the path, `{folder}` by that of the
   * program's own folder, and `{port:NAME}` by a free port. Without a shell, unless it has something that only a shell
   * understands.
   */
  readonly command: string;
  /** So long nothing is written before it counts as rest, in real milliseconds. @default 5000 */
  readonly quietMs?: number;
  /**
   * The workload begins when the program watches something and has asked for nothing for so long, in real milliseconds.
   * @default 2500
   */
  readonly warmMs?: number;
  /** Every line that the program prints. @default they are dropped, but for the last ones when it does not work */
  readonly onLine?: (line: string) => void;
  /** @default the machine's clock */
  readonly clock?: Clock;
}

/** Runs a command with many seeds, as `Explorer` runs processes. The program is called `exec` in plans. */
export function execExplorer(program: SimulationOptions, options: ExecOptions): Explorer {
  return new Explorer(
    { ...program, processes: { [EXEC]: () => {} }, faults: program.faults ?? EXEC_FAULT_KINDS },
    {
      run: (whole, runOptions) => runExec(whole, { ...options, ...runOptions }),
      longestFaultMs: LONGEST_FAULT_MS,
    },
  );
}

/**
 * One run of a real program against a real API server. What goes wrong and when is the plan's choice; how fast everything
 * else is, is the machine's: the time is real, and two runs of one plan need not be equal.
 */
export async function runExec(
  program: SimulationOptions,
  options: ExecOptions & RunOptions,
): Promise<Outcome> {
  return new ExecRun(program, options).whole();
}

class ExecRun {
  readonly #program: SimulationOptions;
  readonly #options: ExecOptions & RunOptions;
  readonly #world: ExecWorld;
  readonly #activity = new Activity();
  readonly #quietMs: number;
  #failure: Failure | undefined = undefined;
  /** What the program watched when the workload began. */
  #watched: ReadonlySet<string> = new Set();
  #isChecking = false;
  #hasNews = false;
  /** How many writes the invariants have seen. */
  #checked = 0;
  #workloadMs = 0;
  #endState: EndState | undefined = undefined;

  constructor(program: SimulationOptions, options: ExecOptions & RunOptions) {
    if (program.drives !== undefined)
      throw new InvalidArgumentError('drives', program.drives, 'absent: a command has no simulated drives');
    this.#program = program;
    this.#options = options;
    this.#quietMs = options.quietMs ?? QUIET_MS;
    this.#world = new ExecWorld({
      command: options.command,
      program,
      traced: options.traced ?? false,
      clock: options.clock ?? realClock,
      onWrite: (entry) => {
        this.#activity.wrote(entry);
        if (isHeartbeat(entry)) return;
        this.#world.idleWrites.length = 0;
        this.#hasNews = true;
        void this.#checkAlways();
      },
      onBroken: (error) => this.#fail('program', `"${options.command}" cannot be started: ${error.message}`),
      onLine: options.onLine ?? ((): void => {}),
    });
    // Who runs a command has no process of another name.
    checkProgram(
      { ...program, processes: {} },
      { others: [], processes: [EXEC], kinds: EXEC_FAULT_KINDS, quietMs: this.#quietMs },
    );
    checkPlan(options.plan, { processes: [EXEC], nodes: this.#world.nodeNames, kinds: EXEC_FAULT_KINDS });
  }

  async whole(): Promise<Outcome> {
    await using world = this.#world;
    await world.start();
    await this.#phases();
    return this.#outcome();
  }

  async #phases(): Promise<void> {
    const world = this.#world;
    if (!(await this.#drive(() => this.#isWarm(), START_WITHIN_MS)))
      return this.#fail(
        'program',
        `the program watches nothing within ${START_WITHIN_MS / 1000} s; it said last:${quoted(world.processes.get(EXEC)?.lastLines ?? [])}`,
      );
    this.#watched = new Set(world.watchedPaths());
    if (!(await this.#workload())) return;
    this.#phase('the faults are over');
    if (!(await this.#rest())) return this.#notAtRest('after the faults were over');
    this.#phase('rest');
    await this.#atRest();
    if (this.#failure !== undefined || this.#program.deletesAll === false) return;
    this.#phase('everything is deleted');
    await deleteAll(world);
    if (!(await this.#rest())) return this.#notAtRest('after everything was deleted');
    const left = await leftBehind(world);
    if (left.length > 0)
      this.#fail('left behind', `after everything was deleted there is still:\n  ${left.join('\n  ')}`);
  }

  async #workload(): Promise<boolean> {
    const { time, requests } = this.#world;
    this.#phase('the workload begins');
    requests.begin();
    const beganMs = time.elapsedMs;
    const plan = new PlanInAction(this.#world, this.#options.plan);
    let isDone = false;
    void Promise.resolve()
      .then(() => this.#program.workload(this.#user()))
      .catch((error: unknown) => this.#fail('program', `the workload failed: ${toError(error).message}`))
      .then(() => {
        isDone = true;
        this.#workloadMs = time.elapsedMs - beganMs;
      });
    const isOver = await this.#drive(() => isDone && plan.isOver, WORKLOAD_WITHIN_MS);
    plan.heal();
    return isOver;
  }

  #user(): User {
    const { time, userClient } = this.#world;
    return {
      client: userClient,
      random: new SeededRandom(this.#options.seed),
      pass: async (ms) => {
        milliseconds('ms of pass', ms);
        await time.pass(ms);
      },
      until: (what, holds) => time.until(what, holds, UNTIL_MS),
    };
  }

  async #atRest(): Promise<void> {
    const { idleWrites } = this.#world;
    if (idleWrites.length > MAX_IDLE_WRITES)
      return this.#fail(
        'hot loop',
        `at rest nobody has anything to do, but ${EXEC} sent ${idleWrites.length} writes that changed nothing, last ${idleWrites.at(-1) ?? ''}`,
      );
    for (const [name, check] of invariantsOf(this.#program, 'atRest')) await this.#check(name, check);
    if (this.#failure !== undefined) return;
    const { endState, wrong } = await endOf(this.#world, this.#program, this.#options.expected);
    this.#endState = endState;
    if (wrong !== undefined) this.#fail(wrong.oracle, wrong.message);
  }

  /** Until it is over, something is wrong, or so much time has passed: then false. */
  async #drive(isOver: () => boolean, withinMs: number): Promise<boolean> {
    const { time, processes } = this.#world;
    await time.holds(() => {
      const { failures = 0, lastLines = [] } = processes.get(EXEC) ?? {};
      if (failures > MAX_FAILURES)
        this.#fail(
          'program',
          `the program ended by itself ${failures} times; it said last:${quoted(lastLines)}`,
        );
      return this.#failure !== undefined || isOver();
    }, withinMs);
    return this.#failure === undefined && isOver();
  }

  /** Whether the program watches what it did, and has asked for nothing for a while. */
  #isWarm(): boolean {
    const { time, lastRequestMs, processes } = this.#world;
    const paths = this.#world.watchedPaths();
    if (processes.get(EXEC)?.isUp !== true || paths.size === 0 || !this.#watched.isSubsetOf(paths))
      return false;
    return time.elapsedMs - lastRequestMs >= (this.#options.warmMs ?? WARM_MS);
  }

  #rest(): Promise<boolean> {
    const { time, idleWrites } = this.#world;
    idleWrites.length = 0;
    this.#activity.reset(time.elapsedMs);
    return this.#drive(
      () => this.#isWarm() && time.elapsedMs - this.#activity.lastWriteMs >= this.#quietMs,
      this.#program.restWithinMs ?? REST_WITHIN_MS,
    );
  }

  /** Writes that come while a check is under way are looked at together, after it. */
  async #checkAlways(): Promise<void> {
    if (this.#isChecking) return;
    this.#isChecking = true;
    while (this.#hasNews && this.#failure === undefined) {
      this.#hasNews = false;
      const { length } = this.#world.journal.entries;
      for (const [name, check] of invariantsOf(this.#program, 'always')) await this.#check(name, check);
      this.#checked = length;
    }
    this.#isChecking = false;
  }

  async #check(name: string, check: Check): Promise<void> {
    if (this.#failure !== undefined) return;
    const { client, time, journal } = this.#world;
    const state = new State({
      client,
      elapsedMs: time.elapsedMs,
      journal: journal.entries,
      checked: this.#checked,
      machines: new Map(),
    });
    const wrong = await judge(
      check,
      state,
      async (isOver) => void (await time.holds(isOver, CHECK_WITHIN_MS)),
    );
    if (wrong !== undefined) this.#fail('invariant', wrong, name);
  }

  #notAtRest(when: string): void {
    if (this.#failure !== undefined) return;
    const { lastLines = [], isUp = false } = this.#world.processes.get(EXEC) ?? {};
    const lost = [...this.#watched.difference(this.#world.watchedPaths())].join(', ');
    const why = !isUp
      ? `; the program is down, and said last:${quoted(lastLines)}`
      : lost === ''
        ? ''
        : `; the program no longer watches ${lost}`;
    this.#fail('rest', `there is no rest ${when}${why}:${this.#activity.busiest()}`);
  }

  #fail(oracle: OracleName, message: string, name?: string): void {
    if (this.#failure !== undefined) return;
    const { time, trace } = this.#world;
    this.#failure = { oracle, message, atMs: time.elapsedMs, ...(name !== undefined && { name }) };
    trace.add({ type: 'phase', process: '', text: `${name ?? oracle}: ${message}` });
  }

  #phase(text: string): void {
    this.#world.trace.add({ type: 'phase', process: '', text });
  }

  #outcome(): Outcome {
    const { journal, time, requests, trace } = this.#world;
    const counts = Object.fromEntries(
      [EXEC, USER].map((name) => [name, { writes: requests.writesOf(name), reads: requests.readsOf(name) }]),
    );
    return {
      seed: this.#options.seed,
      plan: this.#options.plan,
      failure: this.#failure,
      digest: journal.digest(),
      virtualMs: time.elapsedMs,
      isVirtual: false,
      writes: journal.entries.length,
      workloadMs: this.#workloadMs,
      counts,
      // Its plans break all watches at once.
      watched: {},
      calls: {},
      endState: this.#endState,
      trace: trace.entries,
      journal: this.#options.journalled === true ? journal.text() : '',
    };
  }
}

function quoted(lines: readonly string[]): string {
  return lines.length === 0
    ? ' nothing'
    : lines
        .slice(-LAST_LINES)
        .map((line) => `\n  | ${line}`)
        .join('');
}
