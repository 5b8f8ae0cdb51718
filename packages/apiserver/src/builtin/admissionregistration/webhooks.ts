// What the two kinds of configurations of webhooks have in common.
import type {
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '@windlass/apimachinery/api/admissionregistration/v1';
import { validateWebhooks } from '../../admission/validation/webhook-validation.ts';
import type { TablePrinter } from '../../resource/definition.ts';
import type { DraftOf, View } from '../../resource/views.ts';
import { AGE_COLUMN, ageOf, column, printer } from '../shared/columns.ts';

type Configuration = Pick<View<ValidatingWebhookConfiguration>, 'metadata' | 'webhooks'>;

export const webhooksStrategy = {
  allowUnconditionalUpdate: false,
  generation: 'all-but-status',
  validate: validateWebhooks,
} as const;

export function setWebhookDefaults(webhook: DraftOf<ValidatingWebhook>): void {
  webhook.failurePolicy ||= 'Fail';
  webhook.matchPolicy ||= 'Equivalent';
  webhook.namespaceSelector ??= {};
  webhook.objectSelector ??= {};
  webhook.timeoutSeconds ??= 10;
  webhook.clientConfig ??= {};
  if (webhook.clientConfig.service !== undefined) webhook.clientConfig.service.port ??= 443;
  for (const rule of webhook.rules ?? []) rule.scope ||= '*';
}

export const webhooksPrinter: TablePrinter<Configuration> = printer(
  [column('Webhooks', 'integer'), AGE_COLUMN],
  (configuration: Configuration, now) => [configuration.webhooks?.length ?? 0, ageOf(configuration, now)],
);
