// What must hold after every write, whatever else goes on.
import { isConditionTrue } from '@windlass/apimachinery';
import { type Node, Pod } from '@windlass/apimachinery/api/core/v1';
import type { JournalEntry, State } from '@windlass/simulation';
import { GUARDED, GUARDED_REPLICAS } from './act.ts';
import { CPUS, NODES } from './actions.ts';

/** A node never carries more than it has. */
export async function noNodeIsOverfull(state: State): Promise<string | undefined> {
  const pods = await state.list(Pod);
  for (const node of NODES) {
    const count = pods.filter((pod) => pod.spec?.nodeName === node && !isOver(pod)).length;
    if (count > CPUS) return `${node} carries ${count} pods, and has room for ${CPUS}`;
  }
  return undefined;
}

/** Of two pods of one ordinal the first must be known to be gone: only its node can say so. */
export function ordinalsAreAlone({ news }: State): string | undefined {
  for (const { verb, by, pod } of podWrites(news)) {
    if (verb !== 'delete' || by === 'kubelet') continue;
    const { metadata, spec, status } = pod;
    const isStateful = metadata?.labels?.['apps.kubernetes.io/pod-index'] !== undefined;
    if (isStateful && spec?.nodeName !== undefined && status?.phase === 'Running')
      return `${by} takes ${metadata?.name} from the API, and it may still run on ${spec.nodeName}`;
  }
  return undefined;
}

/** Of a budget of one, each eviction of a ready pod leaves the others ready, unless nodes were lost. */
export async function budgetIsKept(state: State): Promise<string | undefined> {
  for (const { by, pod, previous } of podWrites(state.news)) {
    if (by !== 'user' || !isGuarded(pod) || previous === undefined) continue;
    const isEviction = isReadyAndStays(previous) && pod.metadata?.deletionTimestamp !== undefined;
    if (!isEviction || hasLostNodes(state.journal)) continue;
    const left = (await state.list(Pod)).filter((each) => isGuarded(each) && isReadyAndStays(each)).length;
    if (left < GUARDED_REPLICAS - 1)
      return `${pod.metadata?.name} is evicted, and ${left} of ${GUARDED_REPLICAS} are left ready`;
  }
  return undefined;
}

interface PodWrite extends Pick<JournalEntry, 'verb' | 'by'> {
  readonly pod: Pod;
  readonly previous: Pod | undefined;
}

function podWrites(news: readonly JournalEntry[]): PodWrite[] {
  return news.flatMap(({ key, verb, by, object, previous }) =>
    // The key says what kind it is.
    key.startsWith('//pods/')
      ? [{ verb, by, pod: object as Pod, previous: previous as Pod | undefined }]
      : [],
  );
}

/** Whether a node was ever thought to be away: pods suffer from that as well. */
function hasLostNodes(journal: readonly JournalEntry[]): boolean {
  return journal.some(({ key, object, previous }) => {
    if (previous === undefined || !/\/nodes\/[^/]+$/.test(key)) return false;
    // The key says what kind it is.
    const [now, before] = [object as Node, previous as Node];
    return isReadyNode(before) && !isReadyNode(now);
  });
}

const isGuarded = ({ metadata }: Pod): boolean => metadata?.labels?.['app'] === GUARDED;
const isReadyNode = ({ status }: Node): boolean => isConditionTrue(status?.conditions, 'Ready');
const isOver = ({ status }: Pod): boolean => ['Succeeded', 'Failed'].includes(status?.phase ?? '');

function isReadyAndStays({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp === undefined && isConditionTrue(status?.conditions, 'Ready');
}
