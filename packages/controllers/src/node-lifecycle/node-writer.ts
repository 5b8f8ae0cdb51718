import { type DeepReadonly, findCondition, isConflict, isNotFound } from '@windlass/apimachinery';
import type { Node, Taint } from '@windlass/apimachinery/api/core/v1';
import type { KindClient } from '@windlass/runtime';
import { labelsOf } from '../shared/meta.ts';
import { type ReadonlyNode, withConditionTaints, withEvictionTaint } from './node-taints.ts';

const MAX_CONFLICTS = 5;
/** What the labels of old are called today. */
const LABELS: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/os': 'kubernetes.io/os',
  'beta.kubernetes.io/arch': 'kubernetes.io/arch',
};

function oldLabels(node: ReadonlyNode): Readonly<Record<string, string>> | undefined {
  const labels = labelsOf(node);
  const stale = Object.entries(LABELS).flatMap(([old, current]) => {
    const value = labels[current];
    return value === undefined || labels[old] === value ? [] : [[old, value] as const];
  });
  return stale.length === 0 ? undefined : Object.fromEntries(stale);
}

interface NodeChange {
  readonly taints?: readonly DeepReadonly<Taint>[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** Writes taints and labels. Several hands are at a node's, so each change is made to what is there. */
export class NodeWriter {
  readonly #nodes: KindClient<Node>;
  readonly #now: () => string;

  constructor(nodes: KindClient<Node>, now: () => string) {
    this.#nodes = nodes;
    this.#now = now;
  }

  /** New pods keep off a node at once, by its conditions. */
  tend(node: ReadonlyNode, signal: AbortSignal): Promise<void> {
    return this.#change(
      node,
      (current) => ({ taints: withConditionTaints(current, this.#now()), labels: oldLabels(current) }),
      signal,
    );
  }

  /** @param readiness undefined: what the node says by then */
  setEviction(node: ReadonlyNode, readiness: string | undefined, signal: AbortSignal): Promise<void> {
    const says = ({ status }: ReadonlyNode): string =>
      findCondition(status?.conditions, 'Ready')?.status ?? 'Unknown';
    return this.#change(
      node,
      (current) => ({ taints: withEvictionTaint(current, readiness ?? says(current), this.#now()) }),
      signal,
    );
  }

  async #change(
    seen: ReadonlyNode,
    changeOf: (node: ReadonlyNode) => NodeChange,
    signal: AbortSignal,
  ): Promise<void> {
    let node = seen;
    for (let attempt = 1; ; attempt++) {
      const { taints, labels } = changeOf(node);
      if (taints === undefined && labels === undefined) return;
      const { resourceVersion } = node.metadata;
      try {
        await this.#nodes.patch(
          node.metadata.name,
          {
            metadata: { resourceVersion, ...(labels !== undefined && { labels: { ...labels } }) },
            ...(taints !== undefined && { spec: { taints: taints.map((taint) => ({ ...taint })) } }),
          },
          { type: 'merge', signal },
        );
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        if (!isConflict(error) || attempt >= MAX_CONFLICTS) throw error;
      }
      const [fresh] = (
        await this.#nodes.live().list({ fieldSelector: `metadata.name=${node.metadata.name}`, signal })
      ).items;
      if (fresh === undefined || fresh.metadata.uid !== seen.metadata.uid) return;
      node = fresh;
    }
  }
}
