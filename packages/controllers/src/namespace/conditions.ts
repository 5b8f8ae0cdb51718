import { type Condition, setCondition } from '@windlass/apimachinery';
import type { NamespaceCondition } from '@windlass/apimachinery/api/core/v1';
import type { Clock } from '@windlass/base';

/** What one pass over a namespace found. */
export interface Findings {
  /** Group versions that did not answer, each with why. */
  readonly undiscovered: readonly string[];
  readonly failures: readonly string[];
  /** By `resource.group`, how many objects are there still. */
  readonly remaining: ReadonlyMap<string, number>;
  /** By finalizer, how many objects have it. */
  readonly finalizers: ReadonlyMap<string, number>;
}

interface Row {
  readonly type: string;
  readonly good: readonly [reason: string, message: string];
  /** Undefined: it is good. */
  readonly bad: (findings: Findings) => readonly [reason: string, message: string] | undefined;
}

const counted = (counts: ReadonlyMap<string, number>, word: string): string =>
  [...counts]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `${name} ${word} ${count} resource instances`)
    .join(', ');

/** In the order and the words that people search for. */
const ROWS: readonly Row[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    good: ['ResourcesDiscovered', 'All resources successfully discovered'],
    bad: ({ undiscovered }) =>
      undiscovered.length === 0
        ? undefined
        : [
            'DiscoveryFailed',
            `Discovery failed for some groups, ${undiscovered.length} failing: ${undiscovered.join(', ')}`,
          ],
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    good: ['ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    bad: () => undefined,
  },
  {
    type: 'NamespaceDeletionContentFailure',
    good: ['ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    bad: ({ failures }) =>
      failures.length === 0
        ? undefined
        : [
            'ContentDeletionFailed',
            `Failed to delete all resource types, ${failures.length} remaining: ${failures.join(', ')}`,
          ],
  },
  {
    type: 'NamespaceContentRemaining',
    good: ['ContentRemoved', 'All content successfully removed'],
    bad: ({ remaining }) =>
      remaining.size === 0
        ? undefined
        : ['SomeResourcesRemain', `Some resources are remaining: ${counted(remaining, 'has')}`],
  },
  {
    type: 'NamespaceFinalizersRemaining',
    good: ['ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
    bad: ({ finalizers }) =>
      finalizers.size === 0
        ? undefined
        : [
            'SomeFinalizersRemain',
            `Some content in the namespace has finalizers remaining: ${counted(finalizers, 'in')}`,
          ],
  },
];

/** The conditions after such a pass; the same list when they say it already. */
export function namespaceConditions(
  before: readonly NamespaceCondition[],
  findings: Findings,
  clock: Clock,
): readonly NamespaceCondition[] {
  let conditions: readonly Condition[] = before;
  for (const { type, good, bad } of ROWS) {
    const found = bad(findings);
    const [reason, message] = found ?? good;
    const status = found === undefined ? 'False' : 'True';
    conditions = setCondition(conditions, { type, status, reason, message }, clock).conditions;
  }
  return conditions;
}
