import type { Cached, KubeObject } from '@windlass/apimachinery';
import { isNotFound, parseTime } from '@windlass/apimachinery';
import {
  ConfigMap,
  type Node,
  PersistentVolume,
  PersistentVolumeClaim,
  type Pod,
  Secret,
  Service,
  ServiceAccount,
} from '@windlass/apimachinery/api/core/v1';
import { CSIDriver, VolumeAttachment } from '@windlass/apimachinery/api/storage/v1';
import type { CachedKind, Manager } from '@windlass/runtime';
import { VolumeError } from './errors.ts';
import type { Allocatable } from './pod-local/downward-api.ts';

type Read<T extends KubeObject> = (
  namespace: string,
  name: string,
  signal: AbortSignal,
) => Promise<Cached<T> | undefined>;
type ReadOfCluster<T extends KubeObject> = (
  name: string,
  signal: AbortSignal,
) => Promise<Cached<T> | undefined>;

export interface TokenOrder {
  readonly pod: Cached<Pod>;
  /** @default that of the API */
  readonly audience?: string;
  readonly seconds: number;
}

export interface IssuedToken {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

/** What volumes need of the API. Undefined stands for what is not there. */
export interface VolumeObjects {
  readonly configMap: Read<ConfigMap>;
  readonly secret: Read<Secret>;
  readonly services: (namespace: string, signal: AbortSignal) => Promise<readonly Cached<Service>[]>;
  /** What a node has for pods; empty for one that is not known. */
  readonly allocatable: (nodeName: string) => Allocatable;
  readonly claim: Read<PersistentVolumeClaim>;
  readonly volume: ReadOfCluster<PersistentVolume>;
  readonly attachment: ReadOfCluster<VolumeAttachment>;
  readonly driver: ReadOfCluster<CSIDriver>;
  /** Merges a status into a claim, unless it has changed since it was read. */
  readonly writeClaimStatus: (
    claim: Cached<PersistentVolumeClaim>,
    status: object,
    signal: AbortSignal,
  ) => Promise<Cached<PersistentVolumeClaim>>;
  /** A token for the account of a pod, good for as long as the pod is there. */
  readonly token: (order: TokenOrder, signal: AbortSignal) => Promise<IssuedToken>;
}

/**
 * From the server itself. A node's credentials let it read the objects that its pods name, one by one, and
 * neither list nor watch them; what is mounted is never older than the mount.
 */
export function volumeObjects(manager: Manager, nodes: Pick<CachedKind<Node>, 'find'>): VolumeObjects {
  const { client } = manager;
  const found = async <T>(read: Promise<T>): Promise<T | undefined> => {
    try {
      return await read;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  };
  return {
    configMap: (namespace, name, signal) =>
      found(client.resource(ConfigMap).namespace(namespace).get(name, { signal })),
    secret: (namespace, name, signal) =>
      found(client.resource(Secret).namespace(namespace).get(name, { signal })),
    services: async (namespace, signal) =>
      (await client.resource(Service).namespace(namespace).list({ signal })).items,
    allocatable: (nodeName) => nodes.find(nodeName)?.status?.allocatable ?? {},
    claim: (namespace, name, signal) =>
      found(client.resource(PersistentVolumeClaim).namespace(namespace).get(name, { signal })),
    volume: (name, signal) => found(client.resource(PersistentVolume).get(name, { signal })),
    attachment: (name, signal) => found(client.resource(VolumeAttachment).get(name, { signal })),
    driver: (name, signal) => found(client.resource(CSIDriver).get(name, { signal })),
    writeClaimStatus: ({ metadata }, status, signal) =>
      client
        .resource(PersistentVolumeClaim)
        .namespace(metadata.namespace)
        .status.patch(
          metadata.name,
          { metadata: { resourceVersion: metadata.resourceVersion }, status },
          { type: 'merge', signal },
        ),
    token: async ({ pod, audience, seconds }, signal) => {
      const { name, namespace, uid } = pod.metadata;
      const { status } = await client
        .resource(ServiceAccount)
        .namespace(namespace)
        .createToken(
          pod.spec?.serviceAccountName ?? 'default',
          {
            expirationSeconds: seconds,
            ...(audience !== undefined && { audiences: [audience] }),
            boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name, uid },
          },
          { signal },
        );
      if (status?.token === undefined || typeof status.expirationTimestamp !== 'string')
        throw new VolumeError(`the server gave no token for pod ${namespace}/${name}`);
      return { token: status.token, expiresAt: parseTime(status.expirationTimestamp) };
    },
  };
}
