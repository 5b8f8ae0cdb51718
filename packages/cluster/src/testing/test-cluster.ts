import { isAlreadyExists, type Transport } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore, type UserInfo } from '@windlass/apiserver';
import { FakeClock, nextTurn, type Random, SeededRandom, WindlassError } from '@windlass/base';
import { type Client, createClient } from '@windlass/client';
import { Manager, type ManagerOptions, type Webhook } from '@windlass/runtime';
import { InProcessWebhooks } from '../webhooks/in-process.ts';
import { Faults } from './faults.ts';
import { Wakes } from './wakes.ts';

/** What a cluster of a test serves from the start. */
export interface TestClusterOptions {
  /** Made beside `default`. @default none */
  readonly namespaces?: readonly string[];
  /** Custom resources to serve. @default none */
  readonly definitions?: readonly CustomResourceDefinition[];
  /**
   * Webhooks made by `validate`, `mutate` and `convert`. The server asks them in this process, without a network; the
   * definitions need not say that they are converted. @default none
   */
  readonly webhooks?: readonly Webhook[];
  /** Everything that is left to chance follows from it. @default 1 */
  readonly seed?: number;
  /** Wall time at the start. @default 2026-01-01 */
  readonly start?: number;
}

/** Options of a manager on a cluster of a test. */
export interface TestManagerOptions extends Partial<ManagerOptions> {
  /** As whom it acts. @default an administrator */
  readonly user?: UserInfo;
  /** Put before the server: to note what is asked of it, for example. @default nothing */
  readonly through?: (transport: Transport) => Transport;
}

/** How long to wait until nothing happens any more. */
export interface SettleOptions {
  /** How many turns of the event loop it may take. @default 200000 */
  readonly maxTurns?: number;
}

/** What a test is given beside its manager. */
export interface TestManager {
  readonly manager: Manager;
  /** Between this manager and the server. */
  readonly faults: Faults;
}

/** A test waited for peace in vain. */
export class NotSettledError extends WindlassError {
  constructor(busy: readonly string[], wakes: readonly string[] = []) {
    const what = [...wakes, ...busy].join('; ');
    super(`the cluster does not settle: ${what === '' ? 'requests or watches go on' : what}`, {
      code: 'NOT_SETTLED',
    });
  }
}

/** As many turns without anything happening count as peace. */
const QUIET_TURNS = 5;
const MAX_TURNS = 200_000;
/** After so many turns runs are counted. */
const SUSPICIOUS_TURNS = 10;

/**
 * An API server in this process, with a clock that the test moves. Nothing listens anywhere, nothing sleeps,
 * and nothing is left when it is disposed of.
 */
export class TestCluster implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly random: Random;
  readonly server: ApiServer;
  /** An administrator, past all faults. */
  readonly client: Client;
  readonly #managers: TestManager[] = [];
  readonly #webhooks: InProcessWebhooks;

  constructor({ seed = 1, start, webhooks = [] }: TestClusterOptions = {}) {
    this.clock = new FakeClock(start === undefined ? {} : { start });
    this.random = new SeededRandom(seed);
    const { clock, random } = this;
    this.#webhooks = new InProcessWebhooks(webhooks);
    const { local: localWebhooks } = this.#webhooks;
    this.server = new ApiServer({ store: createMemoryStore({ clock }), clock, random, localWebhooks });
    this.client = createClient({ transport: this.server.transport(), clock, random, fieldManager: 'test' });
  }

  /** A manager on this server, with faults of its own in between. It is stopped with the cluster. */
  manager(options: TestManagerOptions = {}): TestManager {
    const { user, through = (transport) => transport, ...rest } = options;
    const faults = new Faults(through(this.transport(user)));
    const { clock, random } = this;
    const manager = new Manager({ transport: faults, clock, random, gracefulStopMs: 0, ...rest });
    const made = { manager, faults };
    this.#managers.push(made);
    return made;
  }

  /** Straight to the server, as an administrator or as somebody else. */
  transport(user?: UserInfo): Transport {
    return user === undefined ? this.server.transport() : this.server.transport(user);
  }

  async createNamespace(name: string): Promise<void> {
    try {
      await this.client.resource(Namespace).create({ metadata: { name } });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Serves custom resources; resolves when they are. */
  async install(...definitions: readonly CustomResourceDefinition[]): Promise<void> {
    await this.#webhooks.serve(this.transport(), definitions);
  }

  /** Makes the server ask the webhooks that the cluster was given. */
  async installWebhooks(): Promise<void> {
    await this.#webhooks.install(this.transport());
  }

  /**
   * Resolves when nothing happens any more: every queue is empty, no run is under way, no request is, and
   * every event has reached its cache. Keys that wait for their time do not count: `advance` is for them.
   * @throws NotSettledError that names the controllers that are busy, and with what
   */
  async settled({ maxTurns = MAX_TURNS }: SettleOptions = {}): Promise<void> {
    let last = -1;
    let quiet = 0;
    let wakes: Wakes | undefined;
    try {
      for (let turn = 0; turn < maxTurns; turn++) {
        await nextTurn();
        const running = this.#managers.filter(({ faults }) => !faults.hasCrashed);
        const activity = running.reduce((sum, { faults }) => sum + faults.activity, 0);
        const isPeaceful =
          activity === last && running.every(({ manager, faults }) => faults.isQuiet && manager.isIdle);
        last = activity;
        quiet = isPeaceful ? quiet + 1 : 0;
        if (quiet >= QUIET_TURNS) return;
        // Most settle long before; for the others it is worth knowing why they do not.
        if (turn === SUSPICIOUS_TURNS) wakes = new Wakes();
        if (wakes?.isHot === true) break;
      }
      const busy = this.#managers.flatMap(({ manager }) => busyIn(manager));
      throw new NotSettledError(busy, wakes?.busiest() ?? []);
    } finally {
      wakes?.[Symbol.dispose]();
    }
  }

  /** Moves the clock, and lets everything settle before and after. */
  async advance(ms: number): Promise<void> {
    await this.settled();
    await this.clock.advance(ms);
    await this.settled();
  }

  async stop(): Promise<void> {
    const stopped = Promise.all(this.#managers.map(({ manager }) => manager.stop())).then(() => true);
    // Whoever waits for a deadline gets it.
    while (!(await Promise.race([stopped, nextTurn().then(() => false)]))) await this.clock.advance(100);
    await this.client.close();
    await this.server.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** A cluster that is ready, with its namespaces and custom resources. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster(options);
  await cluster.server.ready();
  for (const name of options.namespaces ?? []) await cluster.createNamespace(name);
  await cluster.install(...(options.definitions ?? []));
  await cluster.installWebhooks();
  return cluster;
}

function busyIn(manager: Manager): string[] {
  return [...manager.controllers.values()]
    .filter((controller) => !controller.isIdle)
    .map((controller) => {
      const { queued, processingKeys } = controller.snapshot();
      return `controller "${controller.name}" (${queued} queued, at work on ${processingKeys.map(({ key }) => key).join(', ') || 'nothing'})`;
    });
}
