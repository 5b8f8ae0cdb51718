// Where etcd has what the store has: the same places as kube-apiserver, which puts built-in kinds right below the prefix,
// without their group, and all others below their group.
import { builtinResources } from '@windlass/apimachinery';
import type { StoreKey } from '../store.ts';

export const DEFAULT_PREFIX = '/registry';

/** By group and plural, where that is not the plural. The names are older than the resources' own. */
const SPECIAL: Readonly<Record<string, string>> = {
  '/replicationcontrollers': 'controllers',
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/services': 'services/specs',
  'networking.k8s.io/ingresses': 'ingress',
};
/** Groups that are served by their own programs elsewhere, and are kept below their names. */
const OWN_SERVERS: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

interface Places {
  /** `/apps/deployments` to `deployments`. */
  readonly toEtcd: ReadonlyMap<string, string>;
  readonly fromEtcd: ReadonlyMap<string, string>;
}

let places: Places | undefined;

function builtinPlaces(): Places {
  if (places !== undefined) return places;
  const toEtcd = new Map<string, string>();
  const fromEtcd = new Map<string, string>();
  for (const { group, plural } of builtinResources().resources) {
    if (OWN_SERVERS.has(group) || (group === 'events.k8s.io' && plural === 'events')) continue;
    const place = SPECIAL[`${group}/${plural}`] ?? plural;
    toEtcd.set(`/${group}/${plural}`, place);
    fromEtcd.set(place, `/${group}/${plural}`);
  }
  places = { toEtcd, fromEtcd };
  return places;
}

/** @param prefix without a slash at its end */
export function etcdKey(prefix: string, key: StoreKey): string {
  const second = key.indexOf('/', 1);
  const third = second === -1 ? -1 : key.indexOf('/', second + 1);
  if (third === -1) return prefix + key;
  const place = builtinPlaces().toEtcd.get(key.slice(0, third));
  return place === undefined ? prefix + key : `${prefix}/${place}${key.slice(third)}`;
}

/** Undefined for what the API server keeps there besides objects. */
export function storeKey(prefix: string, key: string): StoreKey | undefined {
  if (!key.startsWith(`${prefix}/`)) return undefined;
  const rest = key.slice(prefix.length + 1);
  const first = rest.indexOf('/');
  if (first === -1) return rest === '' || rest === 'health' ? undefined : `/${rest}`;
  const head = rest.slice(0, first);
  if (NO_OBJECTS.has(head)) return undefined;
  const { fromEtcd } = builtinPlaces();
  const plain = fromEtcd.get(head);
  if (plain !== undefined) return plain + rest.slice(first);
  const second = rest.indexOf('/', first + 1);
  const nested = second === -1 ? undefined : fromEtcd.get(rest.slice(0, second));
  return nested === undefined ? `/${rest}` : nested + rest.slice(second);
}

/** What kube-apiserver has there for itself: its addresses, and the ranges that older releases allocate from. */
const NO_OBJECTS: ReadonlySet<string> = new Set(['masterleases', 'ranges', 'peerserverleases']);

/** All keys that begin so come before it. */
export function rangeEnd(prefix: Uint8Array): Uint8Array {
  const end = Buffer.from(prefix);
  for (let at = end.length - 1; at >= 0; at--) {
    const byte = end[at] ?? 0;
    if (byte < 0xff) {
      end[at] = byte + 1;
      return end.subarray(0, at + 1);
    }
  }
  return Buffer.from([0]);
}
