import { type DeepReadonly, selectorFromObject } from '@windlass/apimachinery';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import type { Store } from '../../storage/store.ts';
import type { AdmissionRequest } from '../admission.ts';

export interface MatchSelectors {
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
}

/** Whether a write is of a namespace, and of an object, that the selectors select. */
export async function selectorsMatch(
  { namespaceSelector = {}, objectSelector = {} }: MatchSelectors,
  request: AdmissionRequest,
  store: Store,
): Promise<boolean> {
  if (!isEmpty(objectSelector)) {
    const selector = selectorFromObject(objectSelector);
    const isSelected = [request.object, request.oldObject].some(
      (candidate) => candidate !== undefined && selector.matches(candidate.metadata?.labels),
    );
    if (!isSelected) return false;
  }
  if (isEmpty(namespaceSelector)) return true;
  const { definition, namespace, name, subresource, operation, object } = request;
  const isNamespace = definition.group === '' && definition.plural === 'namespaces';
  const home = isNamespace ? name : namespace;
  // What is in no namespace is never left out because of one.
  if (home === '' && !isNamespace) return true;
  const isWritten = isNamespace && subresource === '' && operation !== 'DELETE';
  const labels = isWritten
    ? object?.metadata?.labels
    : (await store.get(`//namespaces/${home}`))?.object.metadata?.labels;
  return selectorFromObject(namespaceSelector).matches(labels);
}

function isEmpty({ matchLabels, matchExpressions }: DeepReadonly<LabelSelector>): boolean {
  return Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
}
