// How each test file does without a mutant: one that fails anyway kills nothing, and one that never executes the
// mutated code cannot notice it.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Executed } from './coverage.ts';
import type { ImportGraph } from './import-graph.ts';

export type BaselineResult =
  | { readonly passed: true; readonly ms: number; readonly executed: Executed }
  | { readonly passed: false };

type Measure = (test: string) => Promise<BaselineResult>;

export interface BaselineOptions {
  readonly root: string;
  readonly graph: ImportGraph;
  /** Where results are kept for the next run of the lane. */
  readonly cacheFolder: string;
}

/**
 * The result of each test file on the sources as they are. Each is run at most once. One that passed is remembered
 * until it or a file that it imports changes; one that failed is tried again by the next run of the lane.
 */
export class Baseline {
  readonly #options: BaselineOptions;
  readonly #results = new Map<string, Promise<BaselineResult>>();

  constructor(options: BaselineOptions) {
    this.#options = options;
  }

  of(test: string, measure: Measure): Promise<BaselineResult> {
    const result = this.#results.get(test) ?? this.#remembered(test, measure);
    this.#results.set(test, result);
    return result;
  }

  async #remembered(test: string, measure: Measure): Promise<BaselineResult> {
    const hash = await this.#hashOf(test);
    const file = join(this.#options.cacheFolder, `${test.replaceAll('/', '+')}.json`);
    const kept = await readFile(file, 'utf8').then(
      // This class wrote it.
      (text) => JSON.parse(text) as { readonly hash: string; readonly result: BaselineResult },
      () => undefined,
    );
    if (kept?.hash === hash) return kept.result;
    const result = await measure(test);
    if (result.passed) {
      await mkdir(this.#options.cacheFolder, { recursive: true });
      await writeFile(file, JSON.stringify({ hash, result }));
    }
    return result;
  }

  /** Of the test and of all that it imports. */
  async #hashOf(test: string): Promise<string> {
    const { root, graph } = this.#options;
    const hash = createHash('sha256');
    for (const file of [test, ...[...graph.importsOf(test).keys()].sort()]) {
      hash.update(`${file}\0`);
      hash.update(await readFile(join(root, file)).catch(() => ''));
    }
    return hash.digest('hex');
  }
}
