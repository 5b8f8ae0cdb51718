import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import { type Selector, selectNothing, selectorFromObject } from '@windlass/apimachinery';
import type { Pod, PodAffinityTerm } from '@windlass/apimachinery/api/core/v1';

/** A term of pod affinity or anti-affinity, ready to match many pods. */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly selector: Selector;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: Selector;
}

export interface WeightedAffinityTerm extends AffinityTerm {
  readonly weight: number;
}

/** The labels of a namespace. */
export type NamespaceLabels = (namespace: string) => Readonly<Record<string, string>> | undefined;

export function affinityTerm(pod: Cached<Pod>, term: DeepReadonly<PodAffinityTerm>): AffinityTerm {
  const { namespaces = [], namespaceSelector, labelSelector, topologyKey } = term;
  const own = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    topologyKey,
    // A selector that is not given selects nothing; an empty one selects all.
    selector: selectorFromObject(labelSelector),
    namespaces: new Set(own ? [pod.metadata.namespace] : namespaces),
    namespaceSelector:
      namespaceSelector === undefined ? selectNothing : selectorFromObject(namespaceSelector),
  };
}

export function termMatches(term: AffinityTerm, pod: Cached<Pod>, labelsOf: NamespaceLabels): boolean {
  const namespace = pod.metadata.namespace;
  const isInScope =
    term.namespaces.has(namespace) ||
    (!term.namespaceSelector.matchesNothing && term.namespaceSelector.matches(labelsOf(namespace) ?? {}));
  return isInScope && term.selector.matches(pod.metadata?.labels ?? {});
}
