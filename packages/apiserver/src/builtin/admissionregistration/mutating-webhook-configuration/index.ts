import { MutatingWebhookConfiguration } from '@windlass/apimachinery/api/admissionregistration/v1';
import { defineKind } from '../../define-kind.ts';
import { setWebhookDefaults, webhooksPrinter, webhooksStrategy } from '../webhooks.ts';

export const mutatingWebhookConfiguration = defineKind(MutatingWebhookConfiguration, {
  strategy: webhooksStrategy,
  defaults({ webhooks }) {
    for (const webhook of webhooks ?? []) {
      setWebhookDefaults(webhook);
      webhook.reinvocationPolicy ||= 'Never';
    }
  },
  printer: webhooksPrinter,
});
