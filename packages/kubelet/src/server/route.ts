/** What is asked of a node, read off the path. */
export type Route =
  | {
      readonly type: 'logs' | 'exec' | 'attach' | 'run';
      readonly namespace: string;
      readonly pod: string;
      /** Empty when it is not given. */
      readonly uid: string;
      readonly container: string;
    }
  | { readonly type: 'portForward'; readonly namespace: string; readonly pod: string; readonly uid: string }
  | { readonly type: PageName };

type PageName = 'pods' | 'healthz' | 'metrics' | 'resources' | 'summary';

const COMMANDS: ReadonlyMap<string, 'exec' | 'attach' | 'run'> = new Map([
  ['exec', 'exec'],
  ['attach', 'attach'],
  ['run', 'run'],
]);
const PAGES: ReadonlyMap<string, PageName> = new Map([
  ['pods', 'pods'],
  ['runningpods', 'pods'],
  ['healthz', 'healthz'],
  ['healthz/ping', 'healthz'],
  ['healthz/syncloop', 'healthz'],
  ['healthz/log', 'healthz'],
  ['metrics', 'metrics'],
  ['metrics/cadvisor', 'metrics'],
  ['metrics/probes', 'metrics'],
  ['metrics/resource', 'resources'],
  ['stats/summary', 'summary'],
]);

/** Undefined when there is no such path. */
export function routeOf(path: string): Route | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  const page = PAGES.get(segments.join('/'));
  if (page !== undefined) return { type: page };
  const decoded = segments.map(decode);
  const [first = '', namespace, pod, ...rest] = decoded;
  if (namespace === undefined || pod === undefined || decoded.includes(undefined)) return undefined;
  const [third, fourth, tooMany] = rest;
  if (tooMany !== undefined) return undefined;
  if (first === 'portForward' && fourth === undefined)
    return { type: 'portForward', namespace, pod, uid: third ?? '' };
  if (third === undefined) return undefined;
  if (first === 'containerLogs' && fourth === undefined)
    return { type: 'logs', namespace, pod, uid: '', container: third };
  const type = COMMANDS.get(first);
  if (type === undefined) return undefined;
  return fourth === undefined
    ? { type, namespace, pod, uid: '', container: third }
    : { type, namespace, pod, uid: third, container: fourth };
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
