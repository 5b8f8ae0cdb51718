import { type Cached, findCondition } from '@windlass/apimachinery';
import type { PodDisruptionBudget } from '@windlass/apimachinery/api/policy/v1';
import type { NodeInfo } from '../cache/node-info.ts';
import type { PodInfo } from '../cache/pod-info.ts';
import type { PreparedFilters } from '../framework/filters.ts';
import { type Diagnosis, fitMessage } from '../framework/fit-error.ts';
import type { Rejection } from '../framework/plugin.ts';
import type { Nominations } from '../queue/nominations.ts';
import { type Candidate, findVictims, pickCandidate } from './victims.ts';

export interface PreemptionInput {
  readonly pod: PodInfo;
  readonly diagnosis: Diagnosis;
  readonly prepared: PreparedFilters | undefined;
  readonly nodeOf: (name: string) => NodeInfo | undefined;
  readonly nominations: Nominations;
  readonly budgets: readonly Cached<PodDisruptionBudget>[];
  /** Where to begin in the list of nodes. */
  readonly offset: number;
}

export type PreemptionResult =
  | { readonly kind: 'candidate'; readonly candidate: Candidate }
  /** For people: why no room can be made. */
  | { readonly kind: 'none'; readonly message: string };

const NOT_HELPFUL = 'Preemption is not helpful for scheduling';
/** So many candidates are enough, or a tenth of the nodes that may become one. */
const LEAST_CANDIDATES = 100;

/** Decides whether, and where, less important pods shall make room. */
export function findCandidate(input: PreemptionInput): PreemptionResult {
  const { pod, diagnosis, prepared, nodeOf, nominations, budgets, offset } = input;
  const why = notEligible(input);
  if (why !== undefined) return { kind: 'none', message: why };
  const rejections = new Map<string, Rejection>();
  const candidates: Candidate[] = [];
  const helpless: Rejection = { plugin: 'DefaultPreemption', reasons: [NOT_HELPFUL], isUnresolvable: true };
  const tried: string[] = [];
  for (const [name, rejection] of diagnosis.rejections) {
    if (rejection.isUnresolvable) rejections.set(name, helpless);
    else tried.push(name);
  }
  const enough = Math.max(LEAST_CANDIDATES, Math.floor(tried.length / 10));
  // While each candidate breaks a budget, one that breaks none is looked for, however long that takes.
  const hasEnough = (): boolean =>
    candidates.length >= enough && candidates.some(({ violations }) => violations === 0);
  for (let index = 0; index < tried.length && !hasEnough(); index++) {
    const node = nodeOf(tried[(offset + index) % tried.length] ?? '');
    if (node === undefined || prepared === undefined) continue;
    const found = findVictims(pod, node, prepared, nominations, budgets);
    if ('victims' in found) candidates.push(found);
    else rejections.set(node.name, found);
  }
  const candidate = pickCandidate(candidates);
  if (candidate !== undefined) return { kind: 'candidate', candidate };
  if (rejections.size === 0) return { kind: 'none', message: `${NOT_HELPFUL}.` };
  return { kind: 'none', message: fitMessage({ nodeCount: diagnosis.nodeCount, rejections }) };
}

/** A pod that gives way to nobody, or for whom room is being made already, makes no more. */
function notEligible({ pod, nominations, nodeOf, diagnosis }: PreemptionInput): string | undefined {
  const nominatedNode = nominations.nodeOf(pod.uid);
  if (pod.pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  if (nominatedNode === undefined || diagnosis.rejections.get(nominatedNode)?.isUnresolvable === true)
    return undefined;
  for (const other of nodeOf(nominatedNode)?.pods() ?? [])
    if (other.priority < pod.priority && isBeingPreempted(other))
      return 'not eligible due to a terminating pod on the nominated node.';
  return undefined;
}

function isBeingPreempted({ pod, isTerminating }: PodInfo): boolean {
  const { status, reason } = findCondition(pod.status?.conditions, 'DisruptionTarget') ?? {};
  return isTerminating && status === 'True' && reason === 'PreemptionByScheduler';
}
