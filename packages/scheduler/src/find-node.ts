import type { Random } from '@windlass/base';
import type { NodeInfo } from './cache/node-info.ts';
import type { PodInfo } from './cache/pod-info.ts';
import { type PreparedFilters, prepareFilters } from './framework/filters.ts';
import type { Diagnosis } from './framework/fit-error.ts';
import type { ClusterView, FilterPlugin, Rejection, ScorePlugin } from './framework/plugin.ts';
import type { Nominations } from './queue/nominations.ts';

/** What is the same for all pods. */
export interface SchedulingContext {
  readonly view: ClusterView;
  readonly filters: readonly FilterPlugin[];
  readonly scores: readonly ScorePlugin[];
  readonly nominations: Nominations;
  readonly random: Random;
}

export type FoundNode =
  | { readonly kind: 'found'; readonly node: NodeInfo; readonly feasible: number }
  | {
      readonly kind: 'nowhere';
      readonly diagnosis: Diagnosis;
      /** For what-ifs; undefined when the pod was rejected as a whole. */
      readonly prepared: PreparedFilters | undefined;
    };

/** With fewer nodes than this all are looked at. */
const ALWAYS_LOOKED_AT = 100;
const LEAST_PERCENT = 5;

/** How many nodes that will do are enough, of so many: a great cluster is sampled. */
export function enoughNodes(total: number): number {
  if (total < ALWAYS_LOOKED_AT) return total;
  const percent = Math.max(LEAST_PERCENT, 50 - Math.floor(total / 125));
  return Math.max(ALWAYS_LOOKED_AT, Math.floor((total * percent) / 100));
}

/**
 * Decides where a pod shall run. It looks and changes nothing.
 * @param startAt where in the list of nodes to begin, so that sampling gives each node its turn
 */
export function findNode(
  pod: PodInfo,
  context: SchedulingContext,
  startAt = 0,
): FoundNode & { readonly looked: number } {
  const { view, filters, nominations } = context;
  const all = view.nodes();
  const prepared = prepareFilters(pod, filters, view);
  if (isRejection(prepared)) {
    const diagnosis = { nodeCount: all.length, rejections: new Map<string, Rejection>(), whole: prepared };
    return { kind: 'nowhere', diagnosis, prepared: undefined, looked: 0 };
  }
  // Where room was made for it is the first place to look.
  const nominatedName = nominations.nodeOf(pod.uid);
  const nominated = nominatedName === undefined ? undefined : all.find(({ name }) => name === nominatedName);
  if (nominated !== undefined && filterWithNominated(pod, nominated, prepared, nominations) === undefined)
    return { kind: 'found', node: nominated, feasible: 1, looked: 0 };
  const rejections = new Map<string, Rejection>();
  const feasible: NodeInfo[] = [];
  const enough = enoughNodes(all.length);
  let looked = 0;
  while (looked < all.length && feasible.length < enough) {
    const node = all[(startAt + looked++) % all.length];
    if (node === undefined) break;
    const rejection = filterWithNominated(pod, node, prepared, nominations);
    if (rejection === undefined) feasible.push(node);
    else rejections.set(node.name, rejection);
  }
  const node = bestOf(pod, feasible, context);
  if (node !== undefined) return { kind: 'found', node, feasible: feasible.length, looked };
  return { kind: 'nowhere', diagnosis: { nodeCount: all.length, rejections }, prepared, looked };
}

/** Pods that room is being made for count, if they are not less important; and the pod must fit without them too. */
export function filterWithNominated(
  pod: PodInfo,
  node: NodeInfo,
  prepared: PreparedFilters,
  nominations: Nominations,
): Rejection | undefined {
  const nominated = nominations.on(node.name);
  if (nominated.length === 0) return prepared.run(node);
  const others = nominated.filter(({ uid, priority }) => uid !== pod.uid && priority >= pod.priority);
  if (others.length > 0) {
    const withThem = prepared.clone();
    const crowded = node.clone();
    for (const other of others) withThem.change(other, crowded, 1);
    const rejection = withThem.run(crowded);
    if (rejection !== undefined) return rejection;
  }
  return prepared.run(node);
}

/** The node with the greatest score; among equals chance decides. */
export function bestOf(
  pod: PodInfo,
  nodes: readonly NodeInfo[],
  { view, scores, random }: Pick<SchedulingContext, 'view' | 'scores' | 'random'>,
): NodeInfo | undefined {
  if (nodes.length <= 1) return nodes[0];
  const totals = new Array<number>(nodes.length).fill(0);
  for (const plugin of scores) {
    const given = plugin.score(pod, nodes, view);
    if (given === undefined) continue;
    for (let index = 0; index < totals.length; index++)
      totals[index] = (totals[index] ?? 0) + (given[index] ?? 0) * plugin.weight;
  }
  const greatest = Math.max(...totals);
  const best = nodes.filter((_, index) => totals[index] === greatest);
  return best[random.int(best.length)];
}

function isRejection(value: PreparedFilters | Rejection): value is Rejection {
  return 'reasons' in value;
}
