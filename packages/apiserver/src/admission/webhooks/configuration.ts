import type { DeepReadonly } from '@windlass/apimachinery';
import type { MutatingWebhook, ValidatingWebhook } from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Store } from '../../storage/store.ts';

/** One webhook of one configuration, of either sort. */
export interface Hook {
  readonly configuration: string;
  readonly hook: DeepReadonly<MutatingWebhook> | DeepReadonly<ValidatingWebhook>;
}

export const MUTATING = '/admissionregistration.k8s.io/mutatingwebhookconfigurations/';
export const VALIDATING = '/admissionregistration.k8s.io/validatingwebhookconfigurations/';

/** In the order of the configurations' names, and in each in its own order. */
export async function hooksOf(store: Store, prefix: string): Promise<Hook[]> {
  const { items } = await store.list(prefix);
  return items.flatMap(({ object }) =>
    // Stored under the prefix of configurations, so it is one.
    ((object as { webhooks?: readonly DeepReadonly<ValidatingWebhook>[] }).webhooks ?? []).map((hook) => ({
      configuration: object.metadata?.name ?? '',
      hook,
    })),
  );
}
