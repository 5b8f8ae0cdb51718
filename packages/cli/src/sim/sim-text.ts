import { createHash } from 'node:crypto';
import { columns } from '../command-line/columns.ts';
import type { SeedResult } from './messages.ts';

/** What came of many runs. */
export class Tally {
  readonly #bySimulation = new Map<string, SimulationTally>();
  readonly #isVirtual: boolean;
  readonly #hash = createHash('sha256');
  #first: SeedResult | undefined = undefined;
  seeds = 0;
  failed = 0;

  /**
   * @param from the first seed
   * @param isVirtual whether the time of the runs is
   */
  constructor(
    simulations: readonly string[],
    { from, isVirtual }: { readonly from: number; readonly isVirtual: boolean },
  ) {
    for (const name of simulations) this.#bySimulation.set(name, new SimulationTally(from));
    this.#isVirtual = isVirtual;
  }

  /** Called in the order of seeds: the digest depends on it. */
  add(result: SeedResult): void {
    this.seeds++;
    if (result.failure !== undefined) {
      this.failed++;
      this.#first ??= result;
    }
    this.#hash.update(`${result.simulation} ${result.seed} ${result.digest}\n`);
    this.#bySimulation.get(result.simulation)?.add(result);
  }

  /** The first that failed, in the order of seeds. */
  get firstFailed(): SeedResult | undefined {
    return this.#first;
  }

  /** The first that not every simulation has had. */
  get nextSeed(): number {
    return Math.min(...[...this.#bySimulation.values()].map(({ nextSeed }) => nextSeed));
  }

  /** Of all journals so far. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 32);
  }

  /** A table with a row for each simulation, and the digest. */
  text(): string {
    const rows = [...this.#bySimulation].map(([name, tally]) => [name, ...tally.cells()]);
    const table = columns(
      ['SIMULATION', 'SEEDS', 'FAILED', this.#isVirtual ? 'VIRTUAL TIME' : 'TIME', 'SLOWEST SEED'],
      rows,
    );
    const failures = [...this.#bySimulation].flatMap(([name, tally]) => tally.failures(name));
    return `${table}${failures.map((line) => `${line}\n`).join('')}digest of all journals: ${this.digest()}\n`;
  }
}

/** Of each kind of failure so many seeds are named. */
const MAX_NAMED = 8;

class SimulationTally {
  readonly #failures = new Map<string, number[]>();
  #seeds = 0;
  #failed = 0;
  #virtualMs = 0;
  #slowest: SeedResult | undefined = undefined;
  /** After those without a gap. */
  nextSeed: number;

  constructor(from: number) {
    this.nextSeed = from;
  }

  add(result: SeedResult): void {
    const { failure, seed, virtualMs, ms } = result;
    this.#seeds++;
    if (seed === this.nextSeed) this.nextSeed++;
    this.#virtualMs += virtualMs;
    if (this.#slowest === undefined || ms > this.#slowest.ms) this.#slowest = result;
    if (failure === undefined) return;
    this.#failed++;
    const what = failure.name === undefined ? failure.oracle : `${failure.oracle} "${failure.name}"`;
    const seeds = this.#failures.get(what);
    if (seeds === undefined) this.#failures.set(what, [seed]);
    else seeds.push(seed);
  }

  cells(): string[] {
    const slowest =
      this.#slowest === undefined ? '' : `${this.#slowest.seed} (${(this.#slowest.ms / 1000).toFixed(1)} s)`;
    return [String(this.#seeds), String(this.#failed), longTime(this.#virtualMs), slowest];
  }

  failures(name: string): string[] {
    return [...this.#failures].map(([what, seeds]) => {
      const more = seeds.length > MAX_NAMED ? `, and ${seeds.length - MAX_NAMED} more` : '';
      const named = seeds.slice(0, MAX_NAMED).join(', ');
      return `${name}: ${what}: seed${seeds.length === 1 ? '' : 's'} ${named}${more}`;
    });
  }
}

export interface Progress {
  readonly done: number;
  /** How many there will be; undefined when time says so. */
  readonly of: number | undefined;
  readonly failed: number;
  readonly virtualMs: number;
  readonly isVirtual: boolean;
  readonly elapsedMs: number;
  /** Undefined when time does not end it. */
  readonly leftMs: number | undefined;
}

/** `12 of 100 seeds, 3.1 a second, 4.2 virtual hours, 1 failed`. */
export function progressText(progress: Progress): string {
  const { done, of, failed, virtualMs, isVirtual, elapsedMs, leftMs } = progress;
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0;
  return [
    `${done}${of === undefined ? '' : ` of ${of}`} seeds`,
    `${perSecond.toFixed(1)} a second`,
    `${(virtualMs / 3_600_000).toFixed(1)} ${isVirtual ? 'virtual hours' : 'hours'}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(leftMs === undefined ? [] : [`${Math.max(0, Math.ceil(leftMs / 1000))} s left`]),
  ].join(', ');
}

/** One line of `--json`. It has nothing that differs between two runs of the same seed. */
export function seedLine({ simulation, seed, plan, failure, digest, virtualMs, writes }: SeedResult): string {
  const line = {
    event: 'seed',
    simulation,
    seed,
    failed: failure !== undefined,
    digest,
    virtualMs,
    writes,
    plan,
  };
  return `${JSON.stringify(failure === undefined ? line : { ...line, failure })}\n`;
}

/** The last line of `--json`. A run that was cut short says from which seed to go on. */
export function summaryLine(tally: Tally, isCutShort: boolean): string {
  const { seeds, failed, nextSeed } = tally;
  const digest = tally.digest();
  return `${JSON.stringify({ event: 'summary', seeds, failed, digest, ...(isCutShort && { nextSeed }) })}\n`;
}

function longTime(ms: number): string {
  const minutes = ms / 60_000;
  return minutes < 90 ? `${minutes.toFixed(1)} min` : `${(minutes / 60).toFixed(1)} h`;
}
