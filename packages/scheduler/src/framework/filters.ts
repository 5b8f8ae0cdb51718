import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { ClusterView, FilterPlugin, FilterState, Rejection } from './plugin.ts';

/** The filters that have something to say about one pod, with what they have found out. */
export class PreparedFilters {
  readonly #pod: PodInfo;
  readonly #active: readonly (readonly [FilterPlugin, FilterState | undefined])[];

  constructor(pod: PodInfo, active: readonly (readonly [FilterPlugin, FilterState | undefined])[]) {
    this.#pod = pod;
    this.#active = active;
  }

  /** The first that rejects the node. */
  run(node: NodeInfo): Rejection | undefined {
    for (const [plugin, state] of this.#active) {
      const rejection = plugin.filter(this.#pod, node, state);
      if (rejection !== undefined) return rejection;
    }
    return undefined;
  }

  /** For what-ifs on one node: pods come and go there, and the filters know of it. */
  clone(): PreparedFilters {
    return new PreparedFilters(
      this.#pod,
      this.#active.map(([plugin, state]) => [plugin, state?.clone()] as const),
    );
  }

  change(other: PodInfo, node: NodeInfo, by: 1 | -1): void {
    if (by === 1) node.add(other);
    else node.remove(other.uid);
    for (const [, state] of this.#active) state?.change(other, node, by);
  }
}

/** Asks each filter once about the cluster as a whole. */
export function prepareFilters(
  pod: PodInfo,
  plugins: readonly FilterPlugin[],
  view: ClusterView,
): PreparedFilters | Rejection {
  const active: (readonly [FilterPlugin, FilterState | undefined])[] = [];
  for (const plugin of plugins) {
    const result = plugin.preFilter?.(pod, view);
    if (result?.kind === 'reject') return result.rejection;
    if (result?.kind === 'skip') continue;
    active.push([plugin, result?.kind === 'state' ? result.state : undefined]);
  }
  return new PreparedFilters(pod, active);
}
