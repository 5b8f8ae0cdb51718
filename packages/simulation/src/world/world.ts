import type { ApiRequest, KubeObject, Transport } from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore, type Store } from '@windlass/apiserver';
import { silentLogger, toError } from '@windlass/base';
import { type Client, createClient } from '@windlass/client';
import { InProcessWebhooks } from '@windlass/cluster';
import { ensureStorage } from '@windlass/directpv';
import type { Kubelet } from '@windlass/kubelet';
import type { JournalEntry } from '../journal-entry.ts';
import type { Machine } from '../machine/machine.ts';
import type { SimulationOptions } from '../simulation.ts';
import { ProcessClock, VirtualTime } from '../time/virtual-time.ts';
import type { Booted } from './booted.ts';
import { CallCounts } from './call-counts.ts';
import { Journal } from './journal.ts';
import type { Kept } from './kept.ts';
import { SimulatedProcess } from './process.ts';
import { replicasOf } from './replicas.ts';
import { isBackground, RequestCounts } from './request-counts.ts';
import { systemProcesses } from './system-processes.ts';
import { Trace } from './trace.ts';
import { Wire } from './wire.ts';

/** The name of those who work with the cluster, in journals and plans. */
export const USER = 'user';
const SERVER = 'server';

/** What a run calls back. */
export interface WorldEvents {
  /** A write took effect. */
  readonly onWrite: (entry: JournalEntry, sentAtMs: number) => void;
  /** A process could not be set up. */
  readonly onBroken: (process: string, error: Error) => void;
}

/** A whole cluster in virtual time: the API server, its controllers, nodes, and the user's processes. */
export class World {
  readonly time: VirtualTime;
  readonly journal = new Journal();
  readonly trace: Trace;
  readonly requests = new RequestCounts();
  readonly calls = new CallCounts();
  readonly processes = new Map<string, SimulatedProcess>();
  /** Straight into the server: for the run itself, and for oracles. */
  readonly client: Client;
  readonly userClient: Client;
  /** The names of the user's processes. */
  readonly ownNames: readonly string[];
  /** Who is there beside them. */
  readonly otherNames: readonly string[];
  readonly nodeNames: readonly string[];
  /** By node; empty without drives. */
  readonly machines: ReadonlyMap<string, Machine>;
  kubelet: Kubelet | undefined = undefined;
  readonly #options: SimulationOptions;
  readonly #events: WorldEvents;
  readonly #store: Store;
  readonly #server: ApiServer;
  readonly #webhooks: InProcessWebhooks;
  readonly #ending = new AbortController();
  #isServerUp = true;
  /** Whose request the server is working on. */
  #by = SERVER;
  #sentAtMs = 0;

  constructor(options: SimulationOptions, seed: number, booted: Booted, events: WorldEvents) {
    this.#options = options;
    this.#events = events;
    this.time = new VirtualTime(seed);
    const { time } = this;
    this.trace = new Trace(time);
    const clock = new ProcessClock(time, SERVER);
    const random = time.randomFor(SERVER);
    this.#webhooks = new InProcessWebhooks(options.webhooks ?? []);
    this.#store = createMemoryStore({ clock, random, contents: booted });
    this.#server = new ApiServer({
      store: this.#store,
      clock,
      random,
      logger: silentLogger,
      localWebhooks: this.#webhooks.local,
    });
    const transport = this.#server.transport();
    this.client = createClient({
      transport,
      clock,
      random: time.randomFor('oracles'),
      fieldManager: 'simulation',
    });
    const userClock = new ProcessClock(time, USER);
    const userWire = this.#wire(USER, userClock);
    this.userClient = createClient({
      transport: userWire,
      clock: userClock,
      random: time.randomFor(USER),
      fieldManager: USER,
    });
    const own = replicasOf(options);
    this.ownNames = own.map(({ name }) => name);
    const system = systemProcesses(options, {
      onKubelet: (kubelet) => {
        this.kubelet = kubelet;
      },
      callFaultOf: (process, call, about) => {
        const code = this.calls.make(process, call);
        if (code !== undefined) this.trace.add({ type: 'fault', process, text: `${code}: ${call} ${about}` });
        return code;
      },
    });
    this.otherNames = [...system.processes.keys(), USER, SERVER];
    this.nodeNames = system.nodes;
    this.machines = system.machines;
    const theirs = [...system.processes].map(([name, spec]) => ({
      name,
      program: name,
      options: spec,
      lease: undefined,
    }));
    for (const replica of [...theirs, ...own])
      this.processes.set(replica.name, new SimulatedProcess(replica, this.#environment(replica.name)));
  }

  /** Serves what the program needs, and starts every process. They are ready some virtual time later. */
  async start(): Promise<void> {
    void this.#follow();
    await this.#server.ready();
    for (const name of this.#options.namespaces ?? [])
      await this.client.resource(Namespace).create({ metadata: { name } });
    await this.#webhooks.serve(this.#server.transport(), this.#options.definitions ?? []);
    await this.#webhooks.install(this.#server.transport());
    if (this.machines.size > 0) await ensureStorage(this.client, new ProcessClock(this.time, SERVER));
    for (const process of this.processes.values()) process.start();
  }

  /** Straight to the server, past all faults. */
  get server(): Transport {
    return this.#server.transport();
  }

  /** Everything that is kept now. */
  async objects(): Promise<Kept[]> {
    const { items } = await this.#store.list('/');
    // A store keeps what a server has validated, read-only.
    return items.map(({ key, object }) => ({ key, object: object as KubeObject }));
  }

  get isServerUp(): boolean {
    return this.#isServerUp;
  }

  /** Connections break, and new ones are refused until it is up again. */
  serverDown(): void {
    this.#isServerUp = false;
    for (const { wire } of this.processes.values()) wire?.breakWatches();
  }

  serverUp(): void {
    this.#isServerUp = true;
  }

  /** The server forgets the past: who resumes a watch from there must list again. */
  compact(): void {
    void this.#store.compact(this.#store.revision);
  }

  /** Ends everything. What still waits is left to the garbage collector. */
  async stop(): Promise<void> {
    this.#ending.abort();
    for (const process of this.processes.values()) process.kill();
    await this.#server.close();
  }

  #environment(name: string) {
    const { time } = this;
    return {
      time,
      server: this.#server.transport(),
      host: this.#host(name),
      tell: (text: string) => this.trace.add({ type: 'process', process: name, text }),
      onBroken: (error: Error) => this.#events.onBroken(name, error),
    };
  }

  #wire(name: string, clock: ProcessClock): Wire {
    const { time } = this;
    return new Wire({
      process: name,
      time,
      clock,
      random: time.randomFor(`wire ${name}`),
      server: this.#server.transport(),
      host: { ...this.#host(name), isServerUp: () => true },
    });
  }

  #host(name: string) {
    return {
      isServerUp: () => this.#isServerUp,
      faultOf: (request: ApiRequest) => {
        const fault = this.requests.send(name, request);
        if (fault !== undefined) this.trace.add({ type: 'fault', process: name, text: fault, request });
        return fault;
      },
      arrives: (request: ApiRequest, sentAtMs: number) => {
        this.#by = name;
        this.#sentAtMs = sentAtMs;
        this.trace.add({ type: 'arrives', process: name, text: '', request });
      },
      answered: (request: ApiRequest, { status }: { readonly status: number }) => {
        if (request.method !== 'GET' && !isBackground(request)) this.requests.written(name);
        this.trace.add({ type: 'answer', process: name, text: String(status), request });
      },
    };
  }

  /** Whose doing it is that the store changes now; the server's own when nothing arrived in this moment. */
  beginStep(): void {
    this.#by = SERVER;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    try {
      for await (const batch of this.#store.watch('/', {
        fromRevision: this.#store.compactedRevision,
        signal,
      }))
        for (const event of batch) {
          const entry = this.journal.add(event, this.time.elapsedMs, this.#by);
          this.trace.add({ type: 'write', process: entry.by, text: entry.verb, entry });
          this.#events.onWrite(entry, this.#sentAtMs);
        }
    } catch (error) {
      if (!signal.aborted) this.#events.onBroken(SERVER, toError(error));
    }
  }
}
