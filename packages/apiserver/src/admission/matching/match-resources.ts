import type { DeepReadonly } from '@windlass/apimachinery';
import type { MatchResources } from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Catalog } from '../../resource/catalog.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { Store } from '../../storage/store.ts';
import type { AdmissionRequest } from '../admission.ts';
import { matchedDefinition } from './rule-match.ts';
import { selectorsMatch } from './selector-match.ts';

/** The resource as which a policy or a binding is about a write; undefined when it is not. */
export async function matchResources(
  resources: DeepReadonly<MatchResources> | undefined,
  request: AdmissionRequest,
  { catalog, store }: { readonly catalog: Catalog; readonly store: Store },
): Promise<ResourceDefinition | undefined> {
  if (resources === undefined) return undefined;
  const { resourceRules = [], excludeResourceRules, matchPolicy } = resources;
  if (matchedDefinition(excludeResourceRules, matchPolicy, request, catalog) !== undefined) return undefined;
  const matched =
    resourceRules.length === 0
      ? request.definition
      : matchedDefinition(resourceRules, matchPolicy, request, catalog);
  return matched !== undefined && (await selectorsMatch(resources, request, store)) ? matched : undefined;
}
