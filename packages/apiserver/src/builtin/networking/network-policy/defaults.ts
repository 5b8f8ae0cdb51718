import type { NetworkPolicy } from '@windlass/apimachinery/api/networking/v1';
import type { DraftOf } from '../../../resource/views.ts';

export function setNetworkPolicyDefaults(draft: DraftOf<NetworkPolicy>): void {
  draft.spec ??= {};
  const { spec } = draft;
  for (const { ports } of [...(spec.ingress ?? []), ...(spec.egress ?? [])])
    for (const port of ports ?? []) port.protocol ??= 'TCP';
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = (spec.egress ?? null) === null ? ['Ingress'] : ['Ingress', 'Egress'];
}
