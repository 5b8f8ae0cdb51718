import type { MatchResources } from '@windlass/apimachinery/api/admissionregistration/v1';
import type { DraftOf } from '../../resource/views.ts';

/** What a policy, or a binding of one, says of the requests that it is for. */
export function setMatchDefaults(match: DraftOf<MatchResources> | undefined): void {
  if (match === undefined) return;
  match.matchPolicy ||= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])])
    rule.scope ||= '*';
}
