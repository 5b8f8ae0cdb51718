import { isIP } from 'node:net';
import type { Store } from '../storage/store.ts';
import type { OwnCalls } from './own-calls.ts';

export const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'default'] as const;

/** Where the API server is reached, for what runs in the cluster. */
export interface ApiEndpoint {
  /** Addresses that others reach; there may be none. */
  readonly addresses: readonly string[];
  readonly port: number;
}

interface Wanted {
  readonly key: string;
  readonly collection: string;
  readonly object: object;
}

/** Makes what is missing of the objects that every cluster has. Namespaces first: the others live in them. */
export async function ensureSystemObjects(store: Store, calls: OwnCalls): Promise<void> {
  await ensureAll(
    store,
    calls,
    SYSTEM_NAMESPACES.map((name) => ({
      key: `//namespaces/${name}`,
      collection: '/api/v1/namespaces',
      object: { metadata: { name } },
    })),
  );
  await ensureAll(store, calls, [
    priorityClass(
      'system-node-critical',
      2_000_001_000,
      'For pods of the system that must stay on their node.',
    ),
    priorityClass(
      'system-cluster-critical',
      2_000_000_000,
      'For pods of the system that must run, on whichever node.',
    ),
  ]);
}

function priorityClass(name: string, value: number, description: string): Wanted {
  return {
    key: `/scheduling.k8s.io/priorityclasses/${name}`,
    collection: '/apis/scheduling.k8s.io/v1/priorityclasses',
    object: { metadata: { name }, value, description, preemptionPolicy: 'PreemptLowerPriority' },
  };
}

async function ensureAll(store: Store, calls: OwnCalls, wanted: readonly Wanted[]): Promise<void> {
  await Promise.all(
    wanted.map(async ({ key, collection, object }) => {
      if ((await store.get(key)) === undefined) await calls.ensure(collection, object);
    }),
  );
}

/**
 * The service `kubernetes` by which pods find the API, and where it leads. Endpoints may not be loopback addresses, so
 * that a machine with no other address has a service that leads nowhere.
 *
 * @param serviceIp the first address of the services' range
 */
export async function publishEndpoint(
  store: Store,
  calls: OwnCalls,
  { addresses, port }: ApiEndpoint,
  serviceIp: string,
): Promise<void> {
  const metadata = { name: 'kubernetes', namespace: 'default' };
  const labels = { component: 'apiserver', provider: 'kubernetes' };
  const ports = [{ name: 'https', port, protocol: 'TCP' }];
  const family = isIP(addresses[0] ?? '') === 6 ? 'IPv6' : 'IPv4';
  await ensureAll(store, calls, [
    {
      key: '//services/default/kubernetes',
      collection: '/api/v1/namespaces/default/services',
      object: {
        metadata: { ...metadata, labels },
        spec: {
          type: 'ClusterIP',
          clusterIP: serviceIp,
          clusterIPs: [serviceIp],
          ipFamilies: ['IPv4'],
          ipFamilyPolicy: 'SingleStack',
          sessionAffinity: 'None',
          ports: [{ name: 'https', port: 443, protocol: 'TCP', targetPort: port }],
        },
      },
    },
  ]);
  const skip = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
  await putBoth(store, calls, [
    {
      key: '//endpoints/default/kubernetes',
      collection: '/api/v1/namespaces/default/endpoints',
      object: {
        metadata: { ...metadata, labels: skip },
        ...(addresses.length > 0 && { subsets: [{ addresses: addresses.map((ip) => ({ ip })), ports }] }),
      },
    },
    {
      key: '/discovery.k8s.io/endpointslices/default/kubernetes',
      collection: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
      object: {
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'kubernetes' } },
        addressType: family,
        endpoints: addresses.map((address) => ({ addresses: [address], conditions: { ready: true } })),
        ports,
      },
    },
  ]);
}

/** The port may be another one at each start. */
async function putBoth(store: Store, calls: OwnCalls, wanted: readonly Wanted[]): Promise<void> {
  await Promise.all(
    wanted.map(async ({ key, collection, object }) => {
      const known = await store.get(key);
      if (known === undefined) await calls.ensure(collection, object);
      else await calls.update(`${collection}/kubernetes`, object);
    }),
  );
}
