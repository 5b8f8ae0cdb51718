import { booleanOf, first, type Query } from '../../request/query-values.ts';
import type { RequestInfo } from '../../request/request-info.ts';

/** How wide a request is expected to be, and for how long its writes keep watchers busy after its answer. */
export interface WorkEstimate {
  /** While the request is served. */
  readonly initialSeats: number;
  /** After it was answered, for `lingerMs`. */
  readonly finalSeats: number;
  readonly lingerMs: number;
}

/** What is stored of a resource. */
export interface ObjectStats {
  readonly count: number;
  /** 0 when it is not known. */
  readonly averageBytes: number;
}

export interface EstimateFacts {
  /** Undefined for resources that are not stored here. */
  readonly stats: ObjectStats | undefined;
  /** How many open watches a write would have to tell. */
  readonly watchers: number;
  /** What the priority level allows one request; see `maxSeatsOf`. */
  readonly maxSeats: number;
}

const MAX_LIST_SEATS = 100;
const MAX_WRITE_SEATS = 10;
const BYTES_PER_SEAT = 100_000;
/** A list from the cache is streamed: it holds no more than this at once. */
const STREAMED_BYTES = 1_000_000;
/** What objects of unknown size are taken for: the largest that etcd accepts. */
const LARGEST_OBJECT_BYTES = 1_500_000;
const WATCHERS_PER_SEAT = 10;
const EVENT_MS = 5;

const ONE_SEAT: WorkEstimate = Object.freeze({ initialSeats: 1, finalSeats: 0, lingerMs: 0 });
const WRITES: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/** As kube-apiserver estimates it: lists by what they hold in memory, writes by how many watchers they wake. */
export function estimateWork(info: RequestInfo, query: Query, facts: EstimateFacts): WorkEstimate {
  if (info.verb === 'list' || info.verb === 'watch') return estimateList(info, query, facts);
  return WRITES.has(info.verb) ? estimateWrite(info, facts) : ONE_SEAT;
}

function estimateList(info: RequestInfo, query: Query, { stats, maxSeats }: EstimateFacts): WorkEstimate {
  const isWatch = info.verb === 'watch';
  if (stats === undefined || (isWatch && !beginsWithState(query))) return ONE_SEAT;
  const highest = Math.min(maxSeats, MAX_LIST_SEATS);
  const limit = limitOf(query);
  // It will be refused. Until then it may cost anything.
  if (Number.isNaN(limit)) return { ...ONE_SEAT, initialSeats: highest };
  const bytes = bytesAtOnce(info, query, stats, limit, isWatch || !readsThePast(query, limit));
  const seats = Math.max(1, Math.min(highest, Math.ceil(bytes / BYTES_PER_SEAT)));
  return seats === 1 ? ONE_SEAT : { ...ONE_SEAT, initialSeats: seats };
}

function bytesAtOnce(
  info: RequestInfo,
  query: Query,
  { count, averageBytes }: ObjectStats,
  limit: number,
  isFromCache: boolean,
): number {
  const each = averageBytes > 0 || count === 0 ? averageBytes : LARGEST_OBJECT_BYTES;
  const limited = info.name !== '' ? 1 : limit > 0 ? Math.min(limit, count) : count;
  if (isFromCache) return Math.min(limited * each, STREAMED_BYTES);
  return (info.name === '' && isSelective(query) ? Math.max(limited, Math.floor(count / 2)) : limited) * each;
}

function isSelective(query: Query): boolean {
  return (first(query['fieldSelector']) ?? '') !== '' || (first(query['labelSelector']) ?? '') !== '';
}

/** Whether a watch begins with all that there is. */
function beginsWithState(query: Query): boolean {
  const version = first(query['resourceVersion']) ?? '';
  return booleanOf(query, 'sendInitialEvents') === true || version === '' || version === '0';
}

/** Whether the list is of one version of the past, which a cache does not have. */
function readsThePast(query: Query, limit: number): boolean {
  const match = first(query['resourceVersionMatch']) ?? '';
  if (match !== '') return match !== 'NotOlderThan';
  if ((first(query['continue']) ?? '') !== '') return true;
  const version = first(query['resourceVersion']) ?? '';
  return limit > 0 && version !== '' && version !== '0';
}

/** NaN when it cannot be read. */
function limitOf(query: Query): number {
  const text = first(query['limit']);
  return text === undefined ? 0 : /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
}

function estimateWrite(info: RequestInfo, { watchers, maxSeats }: EstimateFacts): WorkEstimate {
  // A token for a service account is no event, however many watch service accounts.
  const wakesNobody = info.resource === 'serviceaccounts' && info.subresource === 'token';
  if (wakesNobody || watchers < WATCHERS_PER_SEAT) return ONE_SEAT;
  const wanted = Math.ceil(watchers / WATCHERS_PER_SEAT);
  const finalSeats = Math.min(wanted, maxSeats, MAX_WRITE_SEATS);
  // Fewer seats for longer: the work stays the same.
  return { initialSeats: 1, finalSeats, lingerMs: (wanted * EVENT_MS) / finalSeats };
}
