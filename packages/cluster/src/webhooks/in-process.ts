import { isConditionTrue, type Transport } from '@windlass/apimachinery';
import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { LocalWebhooks } from '@windlass/apiserver';
import { nextTurn, WindlassError } from '@windlass/base';
import { createClient } from '@windlass/client';
import { Reviews, type Webhook, webhookConfigurations, withConversion } from '@windlass/runtime';

/** No such host is ever asked: the server finds the webhook in its own process. */
const PLACE = { name: 'in-process', namespace: 'default', url: 'https://in-process.invalid' };

const OWN = { fieldManager: 'windlass', force: true };
const MAX_TURNS = 200_000;

/** The server has a definition and does not serve it. */
class NotServedError extends WindlassError {
  constructor(name: string) {
    super(`the definition ${name} is not served; look at its conditions`, { code: 'NOT_SERVED' });
  }
}

/**
 * Webhooks that an API server in this process asks by a call, without a network and without certificates. A
 * configuration that names one of their paths leads here, whatever address it has.
 */
export class InProcessWebhooks {
  readonly #webhooks: readonly Webhook[];
  readonly #reviews = new Reviews();

  constructor(webhooks: readonly Webhook[]) {
    this.#webhooks = webhooks;
    this.#reviews.add(webhooks);
  }

  /** For the API server. */
  readonly local: LocalWebhooks = ({ url, service }) => {
    const path = url === undefined ? service?.path : new URL(url).pathname;
    if (path === undefined || !this.#reviews.has(path)) return undefined;
    return (review, signal) => this.#reviews.answer(path, review, signal);
  };

  /** Serves custom resources, converted by these webhooks where one converts them; resolves when they are served. */
  async serve(transport: Transport, definitions: readonly CustomResourceDefinition[]): Promise<void> {
    const client = createClient({ transport }).resource(CustomResourceDefinition);
    for (const definition of definitions) {
      const { metadata } = await client.apply(withConversion(definition, this.#webhooks, PLACE), OWN);
      const isServed = async (): Promise<boolean> =>
        isConditionTrue((await client.get(metadata.name)).status?.conditions ?? [], 'Established');
      for (let turn = 0; !(await isServed()); turn++) {
        if (turn > MAX_TURNS) throw new NotServedError(metadata.name);
        await nextTurn();
      }
    }
  }

  /** Makes the API server ask the webhooks, and serve the definitions. */
  async install(transport: Transport, definitions: readonly CustomResourceDefinition[] = []): Promise<void> {
    await this.serve(transport, definitions);
    const client = createClient({ transport });
    const { mutating, validating } = webhookConfigurations(this.#webhooks, PLACE);
    if (mutating !== undefined) await client.resource(MutatingWebhookConfiguration).apply(mutating, OWN);
    if (validating !== undefined)
      await client.resource(ValidatingWebhookConfiguration).apply(validating, OWN);
  }
}
