import { Service } from '@windlass/apimachinery/api/core/v1';
import { IPAddress } from '@windlass/apimachinery/api/networking/v1';
import {
  type Clock,
  type Counter,
  type Logger,
  type Metrics,
  type Random,
  type Timer,
  toError,
} from '@windlass/base';
import { AddressObjects } from '../builtin/core/service/address-objects.ts';
import { StoreClosedError } from '../storage/errors.ts';
import type { Store } from '../storage/store.ts';
import { listOfKind } from '../storage/stored-kinds.ts';
import { planRepair } from './plan-repair.ts';

export interface AddressRepairOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const EVERY_MS = 180_000;

/**
 * Keeps the IPAddress objects and the services in step: at the start, as a crash or an older version may have left
 * them, and every three minutes.
 */
export class AddressRepair implements AsyncDisposable {
  readonly #options: AddressRepairOptions;
  readonly #objects: AddressObjects;
  readonly #repaired: (kind: string) => Counter;
  #timer: Timer | undefined = undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: AddressRepairOptions) {
    this.#options = options;
    this.#objects = new AddressObjects(options);
    const counters = options.metrics.counter({
      name: 'windlass_repaired_service_addresses_total',
      help: 'IPAddress objects that were missing, leaked, or of somebody else',
      labelNames: ['problem'],
    });
    this.#repaired = (problem) => counters.labels({ problem });
  }

  async start(): Promise<void> {
    await this.#pass();
    this.#schedule();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#running;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    const run = (): void => {
      this.#running = this.#pass().finally(() => this.#schedule());
    };
    this.#timer = this.#options.clock.setTimeout(run, EVERY_MS, { keepAlive: false });
  }

  async #pass(): Promise<void> {
    const { store, clock, logger } = this.#options;
    try {
      // Addresses first: one that is given back meanwhile then is in neither list, or in that of the services too.
      const objects = await listOfKind(store, IPAddress);
      const services = await listOfKind(store, Service);
      const { missing, leaked, foreign } = planRepair(services, objects, clock.now());
      for (const { address, service } of missing) await this.#objects.create(address, service);
      for (const { address, service } of leaked) this.#objects.remove(address, service);
      for (const { address, service } of foreign)
        logger.warn('the address of a service is said to be of something else', { address, service });
      for (const [problem, list] of Object.entries({ missing, leaked, foreign }))
        if (list.length > 0) this.#repaired(problem).inc(list.length);
    } catch (error) {
      if (!(error instanceof StoreClosedError))
        logger.warn('the addresses of services could not be checked', { error: toError(error) });
    }
  }
}
