import type { Figures, MeasureOptions, Side } from '../lib/bench.ts';
import { once } from '../lib/once.ts';
import { sharedRuns } from '../lib/shared-runs.ts';
import type { Load } from './load.ts';
import { fill, LISTED, list, type Scenario, warmUp } from './scenarios.ts';
import { residentOf, type Start, type TestedServer } from './servers.ts';

const LISTED_COUNT = 20_000;
const LARGE_COUNT = 100_000;
const QUICK_COUNT = 50;

/** On which of a contender's servers something is measured. */
export type Where = 'common' | 'listed' | 'large';

export interface ContenderOptions extends MeasureOptions {
  readonly name: string;
  readonly start: Start;
  readonly load: Load;
  /** Ends the servers that are kept. */
  readonly disposer: AsyncDisposableStack;
}

/** One side: its servers, each started when it is first needed. */
export class Contender {
  readonly name: string;
  readonly #start: Start;
  readonly #load: Load;
  readonly #servers: Readonly<Record<Where, Start>>;
  #largeMegabytes = 0;

  constructor({ name, start, load, disposer, quick }: ContenderOptions) {
    this.name = name;
    this.#start = start;
    this.#load = load;
    const kept = async (): Promise<TestedServer> => disposer.use(await start());
    const common = once(async () => {
      const server = await kept();
      if (!quick) await warmUp(load, server);
      return server;
    });
    const listed = once(async () => this.#fillAndList(await common(), quick ? QUICK_COUNT : LISTED_COUNT));
    const large = once(async () => {
      const server = quick ? await listed() : await this.#fillAndList(await kept(), LARGE_COUNT);
      this.#largeMegabytes = residentOf(server);
      return server;
    });
    this.#servers = { common, listed, large };
  }

  /** The sides of benchmarks that read figures of the same runs. */
  sides(scenario: Scenario, where: Where, figures: readonly string[]): readonly Side[] {
    const side = sharedRuns(async (options) => scenario(this.#load, await this.#servers[where](), options));
    return figures.map((figure) => this.side(side(figure)));
  }

  side(measure: Side['measure']): Side {
    return { name: this.name, measure };
  }

  async ready(): Promise<Figures> {
    await using server = await this.#start();
    return { ready: server.readyMs };
  }

  /** With 20,000 objects, on a fresh server each time. */
  async memory({ quick }: MeasureOptions): Promise<Figures> {
    if (quick) return { resident: residentOf(await this.#servers.listed()) };
    await using server = await this.#start();
    return { resident: residentOf(await this.#fillAndList(server, LISTED_COUNT)) };
  }

  /** With 100,000: filling a server takes minutes, and is done once for all rounds. */
  async largeMemory(): Promise<Figures> {
    await this.#servers.large();
    return { resident: this.#largeMegabytes };
  }

  async #fillAndList(server: TestedServer, count: number): Promise<TestedServer> {
    await fill(this.#load, server, LISTED, count);
    await list(this.#load, server, 5);
    return server;
  }
}
