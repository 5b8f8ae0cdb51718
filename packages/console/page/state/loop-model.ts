import type { ControllerState, LoopTick } from '../../src/protocol.ts';
import { Series } from './series.ts';

/** The plots show two minutes, with a figure each half second, however often ticks come. */
const PLOT_MS = 120_000;
const STEP_MS = 500;
const PLOT_LENGTH = PLOT_MS / STEP_MS;
/** A tick may be late by so many steps. After more, the plots have a gap. */
const MAX_LATE_STEPS = 4;
/** Rates are over this long: over one tick, a single run would look like two a second. */
const RATE_WINDOW_MS = 2000;
/** A controller that did something is shown as busy for this long, so that it does not jump. */
const BUSY_FOR_MS = 20_000;

/** What is known of one controller: its newest state, and its last two minutes. */
export interface ControllerView {
  readonly name: string;
  readonly state: ControllerState;
  readonly runs: Series;
  readonly errors: Series;
  readonly writes: Series;
  readonly p50: Series;
  readonly p99: Series;
  /** When it last had something to do; zero when it never had while this page was open. */
  readonly activeAt: number;
}

interface Sample {
  readonly at: number;
  readonly runs: number;
  readonly errors: number;
  readonly writes: number;
}

interface Entry {
  name: string;
  state: ControllerState;
  runs: Series;
  errors: Series;
  writes: Series;
  p50: Series;
  p99: Series;
  activeAt: number;
  /** Those of the rate's window, the oldest first. */
  samples: Sample[];
}

/** All controllers as the ticks tell them. One tick costs O(controllers). */
export class LoopModel {
  readonly #entries = new Map<string, Entry>();
  readonly runs = new Series(PLOT_LENGTH);
  readonly errors = new Series(PLOT_LENGTH);
  readonly waiting = new Series(PLOT_LENGTH);
  readonly working = new Series(PLOT_LENGTH);
  #at = 0;
  #step = 0;
  #isSampled = false;

  /** The time of the newest tick, zero before the first. */
  get at(): number {
    return this.#at;
  }

  /** Whether there are more runs than are told. The figures of the controllers are complete all the same. */
  get isSampled(): boolean {
    return this.#isSampled;
  }

  /** By name. */
  controllers(): ControllerView[] {
    return [...this.#entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  get(name: string): ControllerView | undefined {
    return this.#entries.get(name);
  }

  isBusy(view: ControllerView): boolean {
    const { waiting, working, retrying, hot } = view.state;
    if (waiting + working + retrying + hot.length > 0) return true;
    return view.activeAt > 0 && this.#at - view.activeAt < BUSY_FOR_MS;
  }

  apply(tick: LoopTick): void {
    const step = Math.floor(tick.at / STEP_MS);
    const steps = this.#step === 0 ? 1 : Math.min(Math.max(0, step - this.#step), PLOT_LENGTH);
    this.#at = tick.at;
    this.#step = step;
    this.#isSampled = tick.isSampled ?? false;
    const seen = new Set<string>();
    for (const state of tick.controllers) {
      seen.add(state.name);
      this.#applyOne(state, tick.at, steps);
    }
    for (const name of this.#entries.keys()) if (!seen.has(name)) this.#entries.delete(name);
    const all = [...this.#entries.values()];
    advance(
      steps,
      this.runs,
      sum(all, (entry) => entry.runs.last),
    );
    advance(
      steps,
      this.errors,
      sum(all, (entry) => entry.errors.last),
    );
    advance(
      steps,
      this.waiting,
      sum(all, ({ state }) => state.waiting),
    );
    advance(
      steps,
      this.working,
      sum(all, ({ state }) => state.working),
    );
  }

  /** The process is another: its counters begin anew. */
  reset(): void {
    for (const entry of this.#entries.values()) entry.samples = [];
  }

  #applyOne(state: ControllerState, at: number, steps: number): void {
    const entry = this.#entries.get(state.name) ?? this.#add(state);
    const before = entry.samples.at(-1);
    const { runs, errors, writes } = state;
    // A counter that falls is that of another process.
    if (before !== undefined && (runs < before.runs || errors < before.errors || writes < before.writes))
      entry.samples = [];
    if (before !== undefined && runs > before.runs) entry.activeAt = at;
    if (state.waiting + state.working > 0) entry.activeAt = at;
    entry.samples.push({ at, runs, errors, writes });
    while (entry.samples.length > 2 && at - (entry.samples[1]?.at ?? at) >= RATE_WINDOW_MS)
      entry.samples.shift();
    const oldest = entry.samples[0] ?? { at, runs, errors, writes };
    const seconds = (at - oldest.at) / 1000;
    const perSecond = (now: number, then: number): number => (seconds > 0 ? (now - then) / seconds : 0);
    entry.state = state;
    advance(steps, entry.runs, perSecond(runs, oldest.runs));
    advance(steps, entry.errors, perSecond(errors, oldest.errors));
    advance(steps, entry.writes, perSecond(writes, oldest.writes));
    advance(steps, entry.p50, state.runMs?.p50 ?? Number.NaN);
    advance(steps, entry.p99, state.runMs?.p99 ?? Number.NaN);
  }

  #add(state: ControllerState): Entry {
    const series = (): Series => new Series(PLOT_LENGTH);
    const entry: Entry = {
      name: state.name,
      state,
      runs: series(),
      errors: series(),
      writes: series(),
      p50: series(),
      p99: series(),
      activeAt: 0,
      samples: [],
    };
    this.#entries.set(state.name, entry);
    return entry;
  }
}

/** While nothing came, nothing is known: the plot shows a gap, and not a line across it. */
function advance(steps: number, series: Series, value: number): void {
  if (steps === 0) series.replace(value);
  for (let step = 1; step <= steps; step++)
    series.push(step < steps && steps > MAX_LATE_STEPS ? Number.NaN : value);
}

function sum<T>(items: readonly T[], figure: (item: T) => number): number {
  return items.reduce((total, item) => total + figure(item), 0);
}
