import {
  MutatingWebhookConfiguration,
  ValidatingWebhookConfiguration,
  type WebhookClientConfig,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Client } from '@windlass/client';
import type { WebhookConfiguration } from '../simulation.ts';

/** Where a program answers its webhooks, in a run. */
export interface WebhookAddress {
  readonly port: number;
  /** PEM: who has signed the program's certificate. */
  readonly authority: string;
}

/** Makes the API server ask the program, whatever services its configurations name. Paths are as published. */
export async function installWebhooks(
  client: Client,
  configurations: readonly WebhookConfiguration[],
  address: WebhookAddress,
): Promise<void> {
  for (const configuration of configurations)
    if (configuration.kind === 'MutatingWebhookConfiguration')
      await client
        .resource(MutatingWebhookConfiguration)
        .create({ ...configuration, webhooks: ledToProgram(configuration.webhooks, address) });
    else
      await client
        .resource(ValidatingWebhookConfiguration)
        .create({ ...configuration, webhooks: ledToProgram(configuration.webhooks, address) });
}

/** The webhooks with the address of the program. */
export function ledToProgram<Hook extends { readonly clientConfig: WebhookClientConfig }>(
  webhooks: readonly Hook[] = [],
  { port, authority }: WebhookAddress,
): Hook[] {
  const caBundle = Buffer.from(authority).toString('base64');
  return webhooks.map((webhook) => {
    const { url, service } = webhook.clientConfig;
    const path = url === undefined ? (service?.path ?? '/') : new URL(url).pathname;
    return { ...webhook, clientConfig: { url: new URL(path, `https://127.0.0.1:${port}`).href, caBundle } };
  });
}
