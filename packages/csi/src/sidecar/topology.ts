// Topology terms: what labels a node must have for a volume to be usable on it. Pairs within a term are
// AND, terms are OR. A term is kept sorted by key, and terms by `compareTerms`.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { Node, TopologySelectorTerm, VolumeNodeAffinity } from '@windlass/apimachinery/api/core/v1';
import type { CSINode } from '@windlass/apimachinery/api/storage/v1';
import type { Topology } from '../generated/csi.ts';

export type Term = readonly (readonly [key: string, value: string])[];

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function makeTerm(labels: Readonly<Record<string, string>>): Term {
  return Object.entries(labels).sort(([a], [b]) => byText(a, b));
}

export const segmentsOf = (term: Term): Record<string, string> => Object.fromEntries(term);

/** Shorter ones first, then by keys and values. */
export function compareTerms(a: Term, b: Term): number {
  if (a.length !== b.length) return a.length - b.length;
  for (const [index, [key, value]] of a.entries()) {
    const [otherKey = '', otherValue = ''] = b[index] ?? [];
    const order = byText(key, otherKey) || byText(value, otherValue);
    if (order !== 0) return order;
  }
  return 0;
}

/** Sorted, each once. */
export function uniqueTerms(terms: readonly Term[]): Term[] {
  const sorted = terms.toSorted(compareTerms);
  return sorted.filter((term, index) => {
    const before = sorted[index - 1];
    return before === undefined || compareTerms(before, term) !== 0;
  });
}

/** Whether everything that `term` asks for holds in `other`. */
export function includesTerm(other: Term, term: Term): boolean {
  const labels = new Map(other);
  return term.every(([key, value]) => labels.get(key) === value);
}

/** The keys that the driver has registered on this node; undefined when it is not there. */
export function topologyKeysOf(node: DeepReadonly<CSINode>, driver: string): readonly string[] | undefined {
  // The server says null where there are none, whatever its schema says.
  const drivers = (node.spec.drivers as typeof node.spec.drivers | null) ?? [];
  return drivers.find(({ name }) => name === driver)?.topologyKeys ?? undefined;
}

/** Undefined when the node lacks one of the labels: its kubelet has not set them yet. */
export function termOfNode(node: DeepReadonly<Node>, keys: readonly string[]): Term | undefined {
  const labels: Record<string, string> = {};
  for (const key of keys) {
    const value = node.metadata?.labels?.[key];
    if (value === undefined) return undefined;
    labels[key] = value;
  }
  return makeTerm(labels);
}

/** Multiplied out: each combination of one value for each key. */
export function allowedTerms(selectors: DeepReadonly<readonly TopologySelectorTerm[]>): Term[] {
  return selectors.flatMap(({ matchLabelExpressions = [] }) => {
    let combinations: Record<string, string>[] = [];
    for (const { key, values } of matchLabelExpressions)
      combinations = values.flatMap((value) =>
        combinations.length === 0
          ? [{ [key]: value }]
          : combinations.map((before) => ({ ...before, [key]: value })),
      );
    return combinations.map(makeTerm);
  });
}

/** Where a volume can be used, as its object says it. */
export function nodeAffinityOf(topologies: readonly Topology[]): VolumeNodeAffinity | undefined {
  const terms = topologies.filter(({ segments }) => Object.keys(segments).length > 0);
  if (terms.length === 0) return undefined;
  return {
    required: {
      nodeSelectorTerms: terms.map(({ segments }) => ({
        matchExpressions: makeTerm(segments).map(([key, value]) => ({
          key,
          operator: 'In',
          values: [value],
        })),
      })),
    },
  };
}
