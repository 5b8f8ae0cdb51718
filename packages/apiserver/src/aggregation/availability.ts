import { formatTime, isConflict, isNotFound } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { type Clock, type Logger, toError, withDeadline } from '@windlass/base';
import { type Follower, StoreFollower } from '../access/store-follower.ts';
import type { OwnCalls } from '../bootstrap/own-calls.ts';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store } from '../storage/store.ts';
import { getOfKind, listOfKind } from '../storage/stored-kinds.ts';
import type { ApiServices, RemoteApiService } from './api-services.ts';
import { API_SERVICES } from './auto-registration.ts';
import type { AvailabilityMetrics } from './availability-metrics.ts';
import {
  type Availability,
  failedCheck,
  PASSED,
  planAvailability,
  withAvailability,
} from './availability-plan.ts';
import { KeyedRetries, type KeyedRun, retryDelay } from './keyed-retries.ts';
import { AGGREGATOR } from './remote-documents.ts';
import { hostOf, type RemoteServers } from './remote-server.ts';

export interface AvailabilityOptions {
  readonly store: Store;
  readonly services: ApiServices;
  readonly servers: RemoteServers;
  readonly calls: OwnCalls;
  readonly metrics: AvailabilityMetrics;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A server may go without anything in the cluster telling so. */
const RECHECK_MS = 30_000;
const FIRST_RETRY_MS = 5;
const CHECK_TIMEOUT_MS = 5000;
const SERVICE_NAME = 'kubernetes.io/service-name';

/** Says of each APIService with a service whether its server answers, in the condition `Available`. */
export class AvailabilityController implements AsyncDisposable {
  readonly #options: AvailabilityOptions;
  readonly #checks: KeyedRetries;
  readonly #followers: readonly Follower[];
  /** What an APIService was when it was last looked at: its status is our own doing. */
  readonly #seen = new Map<string, string>();
  #starting: Promise<void> | undefined = undefined;
  #unlisten: () => void = () => {};

  constructor(options: AvailabilityOptions) {
    const { store, logger, clock } = options;
    this.#options = options;
    this.#checks = new KeyedRetries({
      clock,
      run: (name, failures, signal) => this.#check(name, failures, signal),
    });
    this.#followers = [
      new StoreFollower({
        store,
        logger,
        type: Service,
        onState: (key) => {
          const [namespace = '', name = ''] = key.split('/').slice(-2);
          this.#changed(namespace, name);
        },
      }),
      new StoreFollower({
        store,
        logger,
        type: EndpointSlice,
        onState: (key, slice) => {
          const namespace = key.split('/').at(-2) ?? '';
          // One that is gone does not say whose it was.
          this.#changed(namespace, slice?.metadata?.labels?.[SERVICE_NAME]);
        },
      }),
    ];
  }

  start(): void {
    this.#unlisten = this.#options.services.onChange(() => this.#look());
    this.#look();
  }

  async stop(): Promise<void> {
    this.#unlisten();
    await this.#starting;
    await Promise.all(this.#followers.map((follower) => follower.stop()));
    await this.#checks.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #look(): void {
    const remotes = this.#options.services.remotes();
    // A cluster without such APIServices does not pay for following services.
    if (remotes.length > 0) this.#starting ??= this.#follow();
    const names = new Set(remotes.map(({ name }) => name));
    for (const name of this.#seen.keys()) {
      if (names.has(name)) continue;
      this.#seen.delete(name);
      this.#checks.forget(name);
      this.#options.metrics.forget(name);
    }
    for (const { isAvailable, ...spec } of remotes) {
      const state = JSON.stringify([spec, isAvailable]);
      if (this.#seen.get(spec.name) === state) continue;
      this.#seen.set(spec.name, state);
      this.#checks.add(spec.name);
    }
  }

  async #follow(): Promise<void> {
    await Promise.all(this.#followers.map((follower) => follower.start()));
  }

  #changed(namespace: string, serviceName: string | undefined): void {
    for (const { name, service } of this.#options.services.remotes())
      if (service.namespace === namespace && (serviceName === undefined || service.name === serviceName))
        this.#checks.add(name);
  }

  async #check(name: string, failures: number, signal: AbortSignal): Promise<KeyedRun> {
    const { services, logger } = this.#options;
    const again = retryDelay(failures, FIRST_RETRY_MS, RECHECK_MS);
    const remote = services.remotes().find((candidate) => candidate.name === name);
    if (remote === undefined) return { isFailure: false, againInMs: undefined };
    try {
      const availability = await this.#ask(remote, signal);
      if (signal.aborted) return { isFailure: false, againInMs: undefined };
      await this.#write(name, availability);
      const isRetried = availability.reason === 'FailedDiscoveryCheck';
      return { isFailure: isRetried, againInMs: isRetried ? again : RECHECK_MS };
    } catch (error) {
      const isOver = error instanceof StoreClosedError || signal.aborted;
      // Somebody wrote or deleted it meanwhile.
      if (!isOver && !isConflict(error) && !isNotFound(error))
        logger.warn('the availability of an APIService could not be told', { name, error: toError(error) });
      return { isFailure: true, againInMs: again };
    }
  }

  async #ask(remote: RemoteApiService, signal: AbortSignal): Promise<Availability> {
    const { store } = this.#options;
    const { namespace, name } = remote.service;
    const service = await getOfKind(store, Service, name, namespace);
    const slices = (await listOfKind(store, EndpointSlice, namespace)).filter(
      ({ metadata }) => metadata?.labels?.[SERVICE_NAME] === name,
    );
    return planAvailability(remote, service, slices) ?? (await this.#probe(remote, signal));
  }

  /** Asks for what every such server must serve. */
  async #probe(remote: RemoteApiService, stopping: AbortSignal): Promise<Availability> {
    const { servers, clock } = this.#options;
    const path = `/apis/${remote.group}/${remote.version}`;
    let url = path;
    using deadline = withDeadline(clock, CHECK_TIMEOUT_MS, 'the check of an APIService', stopping);
    const { signal } = deadline;
    try {
      url = `https://${hostOf(await servers.target(remote))}${path}`;
      const headers = { accept: 'application/json' };
      const call = { method: 'GET', path, headers, body: undefined, user: AGGREGATOR, signal };
      const response = await servers.call(remote, call);
      response.on('error', () => {}).resume();
      const status = response.statusCode ?? 0;
      if (status >= 200 && status < 300) return PASSED;
      return failedCheck(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
    } catch (error) {
      const cause = deadline.signal.aborted ? toError(signal.reason) : toError(error);
      return failedCheck(`failing or missing response from ${url}: ${cause.message}`);
    }
  }

  async #write(name: string, availability: Availability): Promise<void> {
    const { services, calls, clock, metrics } = this.#options;
    metrics.checked(name, availability);
    const current = services.get(name);
    if (current === undefined) return;
    const now = formatTime(clock.now());
    const conditions = withAvailability(current.status?.conditions ?? [], availability, now);
    if (conditions === undefined) return;
    await calls.update(`${API_SERVICES}/${encodeURIComponent(name)}/status`, {
      ...current,
      status: { ...current.status, conditions },
    });
    metrics.changed(name, availability);
  }
}
