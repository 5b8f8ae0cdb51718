import { type DeepReadonly, deepEqual, findCondition, formatTime } from '@windlass/apimachinery';
import { ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import { type Clock, type Logger, toError } from '@windlass/base';
import { StoreFollower } from '../access/store-follower.ts';
import { DEFAULT_SERVICE_CIDR } from '../builtin/core/service/service-ranges.ts';
import type { Store } from '../storage/store.ts';
import { getOfKind, kindPrefix } from '../storage/stored-kinds.ts';
import type { OwnCalls } from './own-calls.ts';
import { TryLater } from './try-later.ts';

export interface DefaultServiceCidrOptions {
  readonly store: Store;
  readonly calls: OwnCalls;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The range that the server was started with. */
  readonly cidr: string;
}

const COLLECTION = '/apis/networking.k8s.io/v1/servicecidrs';
const PATH = `${COLLECTION}/${DEFAULT_SERVICE_CIDR}`;
const KEY = `${kindPrefix(ServiceCIDR)}${DEFAULT_SERVICE_CIDR}`;
const MANAGER = 'kubernetes-service-cidr-controller';

/**
 * The ServiceCIDR of the range that the server was started with: it is made when it is missing, and ready at once, so
 * that services get addresses also where no controller runs. One of another range, or that somebody has called not
 * ready, stays as it is.
 */
export class DefaultServiceCidr implements AsyncDisposable {
  readonly #options: DefaultServiceCidrOptions;
  readonly #follower: StoreFollower<ServiceCIDR>;
  readonly #later: TryLater;
  #isStarted = false;
  #isMismatchTold = false;
  #syncing: Promise<void> = Promise.resolve();

  constructor(options: DefaultServiceCidrOptions) {
    this.#options = options;
    const { store, logger, clock } = options;
    this.#later = new TryLater(clock, () => this.#sync());
    this.#follower = new StoreFollower({
      store,
      logger,
      type: ServiceCIDR,
      onState: (key) => {
        if (key === KEY && this.#isStarted) this.#sync();
      },
    });
  }

  /** Resolves when services get addresses. */
  async start(): Promise<void> {
    await this.#follower.start();
    this.#isStarted = true;
    this.#sync();
    await this.#syncing;
  }

  async stop(): Promise<void> {
    this.#later.stop();
    await this.#follower.stop();
    await this.#syncing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** One after the other. */
  #sync(): void {
    this.#syncing = this.#syncing
      .then(() => this.#ensure())
      .catch((error: unknown) => {
        this.#later.failed();
        this.#options.logger.warn('the default ServiceCIDR could not be made ready; it is tried again', {
          error: toError(error),
        });
      });
  }

  async #ensure(): Promise<void> {
    const { store, calls, cidr } = this.#options;
    let found = await getOfKind(store, ServiceCIDR, DEFAULT_SERVICE_CIDR);
    if (found === undefined) {
      await calls.ensure(COLLECTION, { metadata: { name: DEFAULT_SERVICE_CIDR }, spec: { cidrs: [cidr] } });
      found = await getOfKind(store, ServiceCIDR, DEFAULT_SERVICE_CIDR);
    }
    if (found !== undefined) await this.#ensureReady(found);
  }

  async #ensureReady({ metadata, spec, status }: DeepReadonly<ServiceCIDR>): Promise<void> {
    const { calls, clock, cidr, logger } = this.#options;
    // A deletion is the controllers' business.
    if (metadata?.deletionTimestamp !== undefined) return;
    if (!deepEqual(spec?.cidrs, [cidr])) {
      if (!this.#isMismatchTold)
        logger.warn('the default ServiceCIDR is not the range that this server was started with', {
          cidrs: spec?.cidrs,
          range: cidr,
        });
      this.#isMismatchTold = true;
      return;
    }
    const ready = findCondition(status?.conditions, 'Ready');
    if (ready !== undefined && ready.status !== 'Unknown') return;
    const condition = {
      type: 'Ready',
      status: 'True',
      reason: '',
      message: 'Kubernetes default Service CIDR is ready',
      lastTransitionTime: formatTime(clock.now()),
    };
    await calls.apply(`${PATH}/status`, MANAGER, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: DEFAULT_SERVICE_CIDR },
      status: { conditions: [condition] },
    });
  }
}
