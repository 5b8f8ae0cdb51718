import type { IncomingMessage, ServerResponse } from 'node:http';
import { type DeepReadonly, type KubeObject, StatusError } from '@windlass/apimachinery';
import {
  type Clock,
  isCancelled,
  type Logger,
  type Random,
  type Timer,
  toError,
  VERSION,
} from '@windlass/base';
import { type Client, NoMatchError } from '@windlass/client';
import { ClusterFeed } from '../cluster/cluster-feed.ts';
import { eventsOf } from '../cluster/events-of.ts';
import { objectDetail } from '../cluster/object-detail.ts';
import type {
  About,
  ErrorAnswer,
  LoopTick,
  ObjectDetail,
  TryAnswer,
  TryRequest,
  WhyAnswer,
} from '../protocol.ts';
import {
  LoopRecorder,
  type LoopRecorderOptions,
  type ObservedController,
} from '../recorder/loop-recorder.ts';
import { judge } from './access.ts';
import { EventStream } from './event-stream.ts';
import { parseTry, TryError } from './parse-try.ts';
import { readJson } from './read-json.ts';
import { Viewer } from './viewer.ts';

/** What the page Try can do; whoever has the cluster gives it. */
export interface Tries {
  /** Resolves with what was done, as a sentence. @throws TryError for what cannot be done */
  perform(request: TryRequest, signal: AbortSignal): Promise<string>;
  lostNodes(): ReadonlySet<string>;
}

/** A file of the page. */
export interface Asset {
  readonly body: Uint8Array;
  readonly type: string;
  readonly etag: string;
}

/** What a console shows, and where it takes that from. */
export interface ConsoleOptions {
  /** The page's files by their paths. */
  readonly assets: () => Promise<ReadonlyMap<string, Asset>>;
  /** At the top of the page: `windlass up`, or the operator's name. */
  readonly title: string;
  readonly client: Client;
  readonly server: string | undefined;
  readonly controllers: () => Iterable<ObservedController>;
  /** Whose runs are shown. @default those of every controller in this process */
  readonly isOwn?: NonNullable<LoopRecorderOptions['isOwn']>;
  /** What caches have, to compare writes with. @default nothing is compared */
  readonly peek?: (kind: string, key: string) => DeepReadonly<KubeObject> | undefined;
  /** From which version on changes can be watched. @default unknown, and objects have no history */
  readonly oldestVersion?: () => string | undefined;
  /** @default the page is for looking only */
  readonly tries?: Tries;
  /** Who has it may look. @default none: something in front of the console decides */
  readonly token?: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

const CHANGES_EVERY_MS = 200;
/** Every so many times there are the figures of the controllers too. */
const TICK_EVERY = 2;
/** Who reloads the page finds everything as it was. */
const LINGER_MS = 30_000;
/** Each holds a connection and is told everything. */
const MAX_VIEWERS = 32;

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** The live console: answers its page and what the page asks. While nobody looks it only keeps the last runs. */
export class Console implements AsyncDisposable {
  readonly #options: ConsoleOptions;
  readonly #recorder: LoopRecorder;
  readonly #feed: ClusterFeed;
  readonly #viewers = new Set<Viewer>();
  readonly #stopping = new AbortController();
  readonly #startedAt: number;
  #timer: Timer | undefined = undefined;
  #resting: Timer | undefined = undefined;
  #turns = 0;
  #hasFailed = false;

  constructor(options: ConsoleOptions) {
    const { client, clock, random, logger, controllers, isOwn = () => true, tries } = options;
    this.#options = options;
    this.#startedAt = clock.now();
    const { peek = () => undefined } = options;
    this.#recorder = new LoopRecorder({ clock, controllers, isOwn, peek });
    this.#feed = new ClusterFeed({
      client,
      clock,
      random,
      logger,
      lostNodes: () => tries?.lostNodes() ?? new Set(),
    });
  }

  /** Answers a request whose path begins after the console's own. Never rejects. @param port where it listens */
  async handle(request: IncomingMessage, response: ServerResponse, port: () => number): Promise<void> {
    try {
      await this.#answer(request, response, port);
    } catch (thrown) {
      this.#contained(() => {
        if (response.headersSent) response.destroy();
        else this.#fail(response, toError(thrown));
      });
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, port: () => number): Promise<void> {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.setHeader(name, value);
    const url = URL.parse(request.url ?? '/', 'http://localhost');
    if (url === null) return refuse(response, 400, 'the address cannot be read');
    const verdict = judge(request, url, { token: this.#options.token, port });
    if (!verdict.allow) return refuse(response, verdict.status, verdict.why);
    if (verdict.setCookie !== undefined) response.setHeader('set-cookie', verdict.setCookie);
    if (url.pathname === '/' && url.searchParams.has('token')) {
      // The token does not stay in the address, from where it would be copied with it.
      response.writeHead(303, { location: '/' }).end();
      return;
    }
    await this.#route(request, response, url);
  }

  /** Ends all viewers and watches. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#timer?.cancel();
    this.#resting?.cancel();
    for (const viewer of this.#viewers) viewer[Symbol.dispose]();
    this.#viewers.clear();
    this.#recorder[Symbol.dispose]();
    await this.#feed[Symbol.asyncDispose]();
  }

  async #route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { pathname, searchParams } = url;
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    if (pathname === '/api/try') {
      if (request.method !== 'POST') return refuse(response, 405, 'send a POST to /api/try');
      return answer(response, await this.#try(await readJson(request)));
    }
    if (!isGet) return refuse(response, 405, `${request.method} is not served here`);
    switch (pathname) {
      case '/api/about':
        return answer(response, this.#about());
      case '/api/stream':
        return this.#stream(response, searchParams.get('after'));
      case '/api/loop':
        return answer(response, this.#recorder.tick());
      case '/api/runs': {
        const [controller, key] = ['controller', 'key'].map((name) => searchParams.get(name) ?? undefined);
        return answer(response, this.#recorder.details(controller, key));
      }
      case '/api/object': {
        const detail = await this.#object(response, searchParams);
        return detail && answer(response, detail);
      }
      case '/api/why': {
        const object = await this.#object(response, searchParams);
        return object && answer(response, await this.#why(object));
      }
      default:
        return this.#asset(request, response, pathname);
    }
  }

  #about(): About {
    const { title, server, tries, oldestVersion } = this.#options;
    return {
      version: VERSION,
      title,
      server,
      startedAt: this.#startedAt,
      canTry: tries !== undefined,
      hasHistory: oldestVersion?.() !== undefined,
    };
  }

  /** Undefined when it was refused. */
  async #object(response: ServerResponse, query: URLSearchParams): Promise<ObjectDetail | undefined> {
    const name = query.get('resource') ?? query.get('kind');
    const key = query.get('key');
    if (name === null || key === null || key === '')
      return refuse(response, 400, 'name the object: ?resource=deployments.apps&key=NAMESPACE/NAME');
    const { client, clock, oldestVersion = () => undefined } = this.#options;
    const detail = await objectDetail({ client, clock, oldestVersion }, name, key, this.#stopping.signal);
    return detail ?? refuse(response, 404, `there is no ${name} ${key}, and none is remembered`);
  }

  async #why(object: ObjectDetail): Promise<WhyAnswer> {
    const { resource, kind, key } = object;
    const events = await eventsOf(this.#options.client, kind, key, this.#stopping.signal);
    return { object, runs: this.#recorder.about(resource, key), events };
  }

  async #try(body: unknown): Promise<TryAnswer> {
    const { tries } = this.#options;
    if (tries === undefined) throw new TryError('this console is for looking only');
    const done = await tries.perform(parseTry(body), this.#stopping.signal);
    this.#feed.refreshNodes();
    return { done };
  }

  #stream(response: ServerResponse, after: string | null): void {
    if (this.#viewers.size >= MAX_VIEWERS)
      return refuse(response, 503, `${MAX_VIEWERS} pages are open already; close one`);
    const last = after === null || !/^\d+$/.test(after) ? undefined : Number(after);
    this.#resting?.cancel();
    this.#resting = undefined;
    this.#recorder.setDetailed(true);
    const viewer = new Viewer(new EventStream(response), this.#recorder, this.#feed, last);
    this.#viewers.add(viewer);
    response.once('close', () => this.#contained(() => this.#left(viewer)));
    viewer.tell(this.#recorder.tick());
    this.#schedule();
  }

  #left(viewer: Viewer): void {
    if (!this.#viewers.delete(viewer)) return;
    viewer[Symbol.dispose]();
    if (this.#viewers.size > 0) return;
    this.#resting = this.#options.clock.setTimeout(() => this.#rest(), LINGER_MS, { keepAlive: false });
  }

  #rest(): void {
    this.#contained(() => this.#recorder.setDetailed(false));
    this.#feed.rest().catch((thrown: unknown) => this.#failed(thrown));
  }

  /** It may be part of somebody's operator: what it does by itself must never end that process. */
  #contained(body: () => void): void {
    try {
      body();
    } catch (thrown) {
      this.#failed(thrown);
    }
  }

  /** Said once: what fails five times a second would fill the log. */
  #failed(thrown: unknown): void {
    if (this.#hasFailed) return;
    this.#hasFailed = true;
    this.#options.logger.error('the console failed, and may show less', { error: toError(thrown) });
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#viewers.size === 0 || this.#stopping.signal.aborted) return;
    const turn = (): void => {
      this.#timer = undefined;
      let tick: LoopTick | undefined;
      this.#contained(() => (tick = this.#turns++ % TICK_EVERY === 0 ? this.#recorder.tick() : undefined));
      for (const viewer of this.#viewers) this.#contained(() => viewer.tell(tick));
      this.#schedule();
    };
    this.#timer = this.#options.clock.setTimeout(turn, CHANGES_EVERY_MS, { keepAlive: false });
  }

  async #asset(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const asset = (await this.#options.assets()).get(path);
    if (asset === undefined) return refuse(response, 404, `there is no ${path}`);
    response.setHeader('etag', asset.etag);
    response.setHeader('cache-control', 'no-cache');
    if (request.headers['if-none-match'] === asset.etag) {
      response.writeHead(304).end();
      return;
    }
    response.writeHead(200, { 'content-type': asset.type });
    response.end(request.method === 'HEAD' ? undefined : asset.body);
  }

  #fail(response: ServerResponse, error: Error): void {
    if (error instanceof TryError) return refuse(response, 400, error.message);
    if (error instanceof NoMatchError) return refuse(response, 404, error.message);
    if (error instanceof StatusError) return refuse(response, error.statusCode || 500, error.message);
    if (isCancelled(error)) return refuse(response, 503, 'the console stops');
    this.#options.logger.error('the console could not answer', { error });
    refuse(response, 500, error.message);
  }
}

function answer(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(value));
}

function refuse(response: ServerResponse, status: number, why: string): undefined {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ error: why } satisfies ErrorAnswer));
  return undefined;
}
