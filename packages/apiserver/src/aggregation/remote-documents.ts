import { type Clock, fieldOf, isRecord, type Logger, toError, withDeadline } from '@windlass/base';
import { SYSTEM_MASTERS, type UserInfo } from '../access/user.ts';
import type { ApiServices, RemoteApiService } from './api-services.ts';
import { KeyedRetries, type KeyedRun, retryDelay } from './keyed-retries.ts';
import { type RemoteResource, resourcesFromGroups, resourcesFromList } from './remote-resources.ts';
import type { RemoteServers } from './remote-server.ts';

/** Who asks other servers for what they serve. */
export const AGGREGATOR: UserInfo = Object.freeze({
  name: 'system:kube-aggregator',
  groups: Object.freeze([SYSTEM_MASTERS]),
});

/** What the server of an APIService says of itself. */
export interface RemoteDocument {
  /** Of this group version, in the form of aggregated discovery. */
  readonly resources: readonly RemoteResource[];
  /** False when the server could not be asked the last time. */
  readonly isCurrent: boolean;
  /** Where the OpenAPI v3 document of the group version is, with its hash; undefined when it has none. */
  readonly openApiUrl: string | undefined;
  /** OpenAPI v2 of the whole server; undefined when it has none. */
  readonly swagger: Readonly<Record<string, unknown>> | undefined;
}

export interface RemoteDocumentsOptions {
  readonly services: ApiServices;
  readonly servers: RemoteServers;
  readonly clock: Clock;
  readonly logger: Logger;
}

const REFRESH_MS = 60_000;
const FIRST_RETRY_MS = 500;
const TIMEOUT_MS = 5000;
/** A server that describes itself at more length than this is not believed. */
const MAX_BYTES = 32 * 1024 * 1024;
const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

const UNKNOWN: RemoteDocument = Object.freeze({
  resources: Object.freeze([]),
  isCurrent: false,
  openApiUrl: undefined,
  swagger: undefined,
});

/** Keeps what the servers of APIServices say of themselves: asked when an APIService changes, and each minute. */
export class RemoteDocuments implements AsyncDisposable {
  readonly #options: RemoteDocumentsOptions;
  readonly #fetches: KeyedRetries;
  readonly #documents = new Map<string, RemoteDocument>();
  readonly #seen = new Map<string, string>();
  #generation = 0;
  #unlisten: () => void = () => {};

  constructor(options: RemoteDocumentsOptions) {
    this.#options = options;
    const { clock } = options;
    this.#fetches = new KeyedRetries({
      clock,
      run: (name, failures, signal) => this.#refresh(name, failures, signal),
    });
  }

  /** Grows with every change. */
  get generation(): number {
    return this.#generation;
  }

  /** Of an APIService by its name; nothing is known of one that has not answered yet. */
  get(name: string): RemoteDocument {
    return this.#documents.get(name) ?? UNKNOWN;
  }

  start(): void {
    this.#unlisten = this.#options.services.onChange(() => this.#look());
    this.#look();
  }

  async stop(): Promise<void> {
    this.#unlisten();
    await this.#fetches.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #look(): void {
    const remotes = this.#options.services.remotes();
    const names = new Set(remotes.map(({ name }) => name));
    for (const name of this.#seen.keys()) {
      if (names.has(name)) continue;
      this.#seen.delete(name);
      this.#documents.delete(name);
      this.#fetches.forget(name);
      this.#generation++;
    }
    for (const remote of remotes) {
      const state = JSON.stringify(remote);
      if (this.#seen.get(remote.name) === state) continue;
      this.#seen.set(remote.name, state);
      this.#fetches.add(remote.name);
    }
  }

  async #refresh(name: string, failures: number, signal: AbortSignal): Promise<KeyedRun> {
    const { services, logger } = this.#options;
    const remote = services.remotes().find((candidate) => candidate.name === name);
    if (remote === undefined) return { isFailure: false, againInMs: undefined };
    try {
      const document = await this.#fetch(remote, signal);
      if (this.#seen.has(name)) this.#keep(name, document);
      return { isFailure: false, againInMs: REFRESH_MS };
    } catch (error) {
      if (signal.aborted) return { isFailure: false, againInMs: undefined };
      logger.debug('an APIService does not say what it serves', { name, error: toError(error) });
      if (this.#seen.has(name)) this.#keep(name, { ...this.get(name), isCurrent: false });
      return { isFailure: true, againInMs: retryDelay(failures, FIRST_RETRY_MS, REFRESH_MS) };
    }
  }

  #keep(name: string, document: RemoteDocument): void {
    if (JSON.stringify(this.#documents.get(name)) === JSON.stringify(document)) return;
    this.#documents.set(name, document);
    this.#generation++;
  }

  async #fetch(remote: RemoteApiService, signal: AbortSignal): Promise<RemoteDocument> {
    const { group, version } = remote;
    const groups = await this.#get(remote, '/apis', AGGREGATED, signal);
    const resources =
      resourcesFromGroups(groups, group, version) ??
      resourcesFromList(await this.#need(remote, `/apis/${group}/${version}`, signal), group, version);
    const index = await this.#get(remote, '/openapi/v3', 'application/json', signal);
    const path = fieldOf(fieldOf(index, 'paths'), `apis/${group}/${version}`);
    const openApiUrl = fieldOf(path, 'serverRelativeURL');
    const swagger = await this.#get(remote, '/openapi/v2', 'application/json', signal);
    return {
      resources,
      isCurrent: true,
      openApiUrl: typeof openApiUrl === 'string' ? openApiUrl : undefined,
      swagger: isRecord(swagger) ? swagger : undefined,
    };
  }

  async #need(remote: RemoteApiService, path: string, signal: AbortSignal): Promise<unknown> {
    const found = await this.#get(remote, path, 'application/json', signal);
    if (found === undefined) throw new Error(`${remote.name} does not serve ${path}; its server must`);
    return found;
  }

  /** The JSON of the path; undefined when the server has none. */
  async #get(
    remote: RemoteApiService,
    path: string,
    accept: string,
    stopping: AbortSignal,
  ): Promise<unknown> {
    const { servers, clock } = this.#options;
    using deadline = withDeadline(clock, TIMEOUT_MS, `GET ${path} of ${remote.name}`, stopping);
    const { signal } = deadline;
    const headers = { accept };
    const call = { method: 'GET', path, headers, body: undefined, user: AGGREGATOR, signal };
    const response = await servers.call(remote, call);
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of response) {
      // Node's sockets give buffers unless told otherwise.
      const bytes = chunk as Buffer;
      size += bytes.byteLength;
      if (size > MAX_BYTES)
        throw new Error(`GET ${path} of ${remote.name} answers more than ${MAX_BYTES} bytes`);
      chunks.push(bytes);
    }
    const status = response.statusCode ?? 0;
    if (status === 503) throw new Error(`GET ${path} of ${remote.name} answered 503`);
    if (status !== 200 || !(response.headers['content-type'] ?? '').includes('json')) return undefined;
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  }
}
