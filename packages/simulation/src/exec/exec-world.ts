import type { ApiRequest, KubeObject, Transport } from '@windlass/apimachinery';
import { Namespace } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore, type Store } from '@windlass/apiserver';
import { type Clock, issueCertificate, silentLogger, systemRandom, toError, Undo } from '@windlass/base';
import { type Client, createClient } from '@windlass/client';
import { InProcessWebhooks } from '@windlass/cluster';
import type { Kubelet } from '@windlass/kubelet';
import { Manager } from '@windlass/runtime';
import type { JournalEntry } from '../journal-entry.ts';
import type { Cluster } from '../run/objects.ts';
import type { Stage } from '../run/stage.ts';
import type { SimulationOptions } from '../simulation.ts';
import { Journal } from '../world/journal.ts';
import type { Kept } from '../world/kept.ts';
import { isBackground, RequestCounts } from '../world/request-counts.ts';
import { systemProcesses } from '../world/system-processes.ts';
import { Trace } from '../world/trace.ts';
import { USER } from '../world/world.ts';
import { ExecProcess } from './exec-process.ts';
import { ExecProxy } from './exec-proxy.ts';
import { ProgramFolder } from './program-folder.ts';
import { installWebhooks } from './program-webhooks.ts';
import { RealTime } from './real-time.ts';
import { WritesUnderWay } from './writes-under-way.ts';

/** The name of the program in plans, journals and timelines. */
export const EXEC = 'exec';
const SERVER = 'server';
const VALID_DAYS = 2;

export interface ExecWorldOptions {
  /** A command line, with places as `{kubeconfig}`. */
  readonly command: string;
  readonly program: SimulationOptions;
  readonly clock: Clock;
  readonly onWrite: (entry: JournalEntry) => void;
  /** The program cannot be started. */
  readonly onBroken: (error: Error) => void;
  /** Keeps what happens, for a timeline. */
  readonly traced: boolean;
  /** Every line that the program prints. */
  readonly onLine: (line: string) => void;
}

/** An API server over HTTPS, the cluster's own controllers in this process, and the program behind a proxy. */
export class ExecWorld implements Stage, Cluster, AsyncDisposable {
  readonly time: RealTime;
  readonly journal = new Journal();
  readonly trace: Trace;
  readonly requests = new RequestCounts();
  readonly processes = new Map<string, ExecProcess>();
  readonly ownNames = [EXEC];
  /** Straight into the server: for the run itself, and for oracles. */
  readonly client: Client;
  /** Counted as the user's. */
  readonly userClient: Client;
  readonly nodeNames: readonly string[];
  kubelet: Kubelet | undefined = undefined;
  /** When the program last sent something that is no heartbeat. */
  lastRequestMs = 0;
  /** What the program has sent to write since somebody last wrote with effect. */
  readonly idleWrites: string[] = [];
  readonly #options: ExecWorldOptions;
  readonly #store: Store;
  readonly #server: ApiServer;
  readonly #webhooks: InProcessWebhooks;
  readonly #underWay = new WritesUnderWay();
  readonly #managers: Manager[];
  readonly #token = systemRandom.uuid();
  readonly #ending = new AbortController();
  readonly #undo = new Undo();
  #isServerUp = true;

  constructor(options: ExecWorldOptions) {
    this.#options = options;
    const { clock, program } = options;
    this.time = new RealTime(clock);
    this.trace = new Trace(this.time);
    this.#webhooks = new InProcessWebhooks(program.webhooks ?? []);
    this.#store = createMemoryStore({ clock });
    this.#server = new ApiServer({
      store: this.#store,
      clock,
      logger: silentLogger,
      localWebhooks: this.#webhooks.local,
      tokens: [{ token: this.#token, user: EXEC, groups: ['system:masters'] }],
    });
    this.client = createClient({ transport: this.server, clock, fieldManager: 'simulation' });
    this.userClient = createClient({ transport: this.#noted(USER), clock, fieldManager: USER });
    const system = systemProcesses(program, {
      onKubelet: (kubelet) => {
        this.kubelet = kubelet;
      },
    });
    this.nodeNames = system.nodes;
    this.#managers = [...system.processes].map(([name, { setUp, manager: more }]) => {
      const manager = new Manager({ logger: silentLogger, ...more, clock, transport: this.#noted(name) });
      this.#undo.defer(() => manager.stop());
      void setUp(manager);
      return manager;
    });
  }

  /** Straight to the server, past all faults. */
  get server(): Transport {
    return this.#server.transport();
  }

  /** Serves what the program needs, and starts it. It is at work some time later. */
  async start(): Promise<void> {
    const { program } = this.#options;
    void this.#follow();
    await this.#server.ready();
    for (const name of program.namespaces ?? [])
      await this.client.resource(Namespace).create({ metadata: { name } });
    await this.#webhooks.serve(this.server, program.definitions ?? []);
    await this.#webhooks.install(this.server);
    for (const manager of this.#managers) await manager.start();
    const exec = await this.#program();
    this.processes.set(EXEC, exec);
    // What the server makes for itself is no part of the story.
    this.trace.isOn = this.#options.traced;
    exec.start();
  }

  /** What the program watches now. */
  watchedPaths(): Set<string> {
    const watches = [...(this.processes.get(EXEC)?.link.watches ?? [])];
    return new Set(watches.map(({ request }) => request.path));
  }

  async objects(): Promise<Kept[]> {
    const { items } = await this.#store.list('/');
    // A store keeps what a server has validated, read-only.
    return items.map(({ key, object }) => ({ key, object: object as KubeObject }));
  }

  serverDown(): void {
    this.#isServerUp = false;
    for (const { link } of this.processes.values()) for (const watch of link.watches) watch.break();
  }

  serverUp(): void {
    this.#isServerUp = true;
  }

  compact(): void {
    void this.#store.compact(this.#store.revision);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.time.end();
    await this.processes.get(EXEC)?.stop();
    await this.#undo[Symbol.asyncDispose]();
    this.#ending.abort();
    await this.#server.close();
  }

  async #program(): Promise<ExecProcess> {
    const { command, program, clock, onLine, onBroken } = this.#options;
    const issuer = { clock, random: systemRandom };
    const authority = issueCertificate(
      { commonName: 'windlass-simulation', usage: 'authority', validDays: VALID_DAYS },
      issuer,
    );
    const hosts = ['localhost', '127.0.0.1'];
    const certificate = issueCertificate(
      { commonName: 'kube-apiserver', usage: 'server', hosts, validDays: VALID_DAYS },
      issuer,
      authority,
    );
    const tls = { ...certificate, clientCa: authority.cert };
    const port = await this.#server.listen({ port: 0, tls });
    const proxy = new ExecProxy({
      time: this.time,
      host: this.#host(),
      certificate,
      server: { port, authority: authority.cert },
    });
    const proxyPort = await proxy.listen();
    this.#undo.defer(() => proxy.close());
    const { exec: needs = {} } = program;
    const access = {
      server: `https://127.0.0.1:${proxyPort}`,
      authority: authority.cert,
      token: this.#token,
    };
    const folder = this.#undo.use(await ProgramFolder.make({ line: command, access, needs, certificate }));
    if (folder.webhookPort !== undefined)
      await installWebhooks(this.client, needs.webhooks ?? [], {
        port: folder.webhookPort,
        authority: authority.cert,
      });
    return new ExecProcess({
      ...folder.program,
      time: this.time,
      link: proxy,
      tell: (text) => this.trace.add({ type: 'process', process: EXEC, text }),
      onLine,
      onBroken,
    });
  }

  #host() {
    const ends = new Map<object, () => void>();
    return {
      isServerUp: () => this.#isServerUp,
      faultOf: (request: Pick<ApiRequest, 'method' | 'path'>) => {
        if (!isBackground(request)) this.lastRequestMs = this.time.elapsedMs;
        if (request.method !== 'GET' && !isBackground(request))
          this.idleWrites.push(`${request.method} ${request.path}`);
        const fault = this.requests.send(EXEC, request);
        if (fault !== undefined) this.trace.add({ type: 'fault', process: EXEC, text: fault, request });
        return fault;
      },
      arrives: (request: Pick<ApiRequest, 'method' | 'path'>) => {
        if (request.method !== 'GET') ends.set(request, this.#underWay.begin(EXEC, request));
        this.trace.add({ type: 'arrives', process: EXEC, text: '', request });
      },
      answered: (request: Pick<ApiRequest, 'method' | 'path'>, status: number) => {
        ends.get(request)?.();
        ends.delete(request);
        if (status !== 0 && request.method !== 'GET' && !isBackground(request)) this.requests.written(EXEC);
        this.trace.add({ type: 'answer', process: EXEC, text: String(status), request });
      },
    };
  }

  /** Into the server, with a note of who writes. */
  #noted(name: string): Transport {
    const { server } = this;
    return {
      ...server,
      request: async (request) => {
        if (request.method === 'GET') return server.request(request);
        const end = this.#underWay.begin(name, request);
        try {
          this.requests.send(name, request);
          return await server.request(request);
        } finally {
          end();
          if (!isBackground(request)) this.requests.written(name);
        }
      },
    };
  }

  async #follow(): Promise<void> {
    const { signal } = this.#ending;
    try {
      for await (const batch of this.#store.watch('/', { fromRevision: 0, signal }))
        for (const event of batch) {
          const by = this.#underWay.whoChanges(event.key, event.previous === undefined) ?? SERVER;
          const entry = this.journal.add(event, this.time.elapsedMs, by);
          this.trace.add({ type: 'write', process: by, text: entry.verb, entry });
          this.#options.onWrite(entry);
        }
    } catch (error) {
      if (!signal.aborted) this.#options.onBroken(toError(error));
    }
  }
}
