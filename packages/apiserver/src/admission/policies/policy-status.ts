import { type DeepReadonly, type Transport } from '@windlass/apimachinery';
import { ValidatingAdmissionPolicy } from '@windlass/apimachinery/api/admissionregistration/v1';
import { type Logger, toError } from '@windlass/base';
import { type Follower, StoreFollower } from '../../access/store-follower.ts';
import type { Catalog } from '../../resource/catalog.ts';
import type { Store } from '../../storage/store.ts';
import { typeWarnings } from './type-check.ts';

export interface PolicyStatusOptions {
  readonly store: Store;
  readonly catalog: Catalog;
  /** Of the server itself, as an administrator. */
  readonly transport: Transport;
  readonly logger: Logger;
}

const PATH = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
const MANAGER = 'validatingadmissionpolicy-status-controller';

/** Writes into the status of policies what checking their types has found, one after the other. */
export class PolicyStatus implements AsyncDisposable {
  readonly #options: PolicyStatusOptions;
  readonly #follower: Follower;
  #work: Promise<void> = Promise.resolve();

  constructor(options: PolicyStatusOptions) {
    this.#options = options;
    this.#follower = new StoreFollower({
      store: options.store,
      type: ValidatingAdmissionPolicy,
      logger: options.logger,
      onState: (_key, policy) => {
        if (policy === undefined) return;
        const { metadata, status } = policy;
        if ((metadata?.generation ?? 0) <= (status?.observedGeneration ?? 0)) return;
        this.#work = this.#work.then(() => this.#report(policy));
      },
    });
  }

  start(): Promise<void> {
    return this.#follower.start();
  }

  async stop(): Promise<void> {
    await this.#follower.stop();
    await this.#work;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #report(policy: DeepReadonly<ValidatingAdmissionPolicy>): Promise<void> {
    const { catalog, transport, logger } = this.#options;
    const name = policy.metadata?.name ?? '';
    try {
      const expressionWarnings = typeWarnings(policy, catalog);
      const { status, body } = await transport.request({
        method: 'PATCH',
        path: `${PATH}/${encodeURIComponent(name)}/status`,
        query: { fieldManager: MANAGER, force: 'true' },
        headers: { 'content-type': 'application/apply-patch+yaml' },
        body: {
          apiVersion: 'admissionregistration.k8s.io/v1',
          kind: 'ValidatingAdmissionPolicy',
          metadata: { name },
          status: {
            observedGeneration: policy.metadata?.generation,
            typeChecking: expressionWarnings.length === 0 ? {} : { expressionWarnings },
          },
        },
      });
      // One that is gone needs no status.
      if (status >= 300 && status !== 404)
        logger.warn('the status of a policy could not be written', { policy: name, status, answer: body });
    } catch (error) {
      logger.error('the types of a policy could not be checked', { policy: name, error: toError(error) });
    }
  }
}
