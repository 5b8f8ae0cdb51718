import { Service } from '@windlass/apimachinery/api/core/v1';
import { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { Store } from '../storage/store.ts';
import { getOfKind, listOfKind } from '../storage/stored-kinds.ts';

/** Where a service of the cluster is reached; undefined when it has no address. */
export type ServiceResolver = (
  namespace: string,
  name: string,
  port: number,
) => Promise<{ readonly host: string; readonly port: number } | undefined>;

/**
 * Straight to a ready endpoint: this process has no proxy for the addresses of services. A service of type
 * ExternalName leads to its name.
 */
export function serviceResolver(store: Store): ServiceResolver {
  return async (namespace, name, port) => {
    const service = await getOfKind(store, Service, name, namespace);
    if (service === undefined) return undefined;
    if (service.spec?.type === 'ExternalName') return { host: service.spec.externalName ?? '', port };
    const wanted = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (wanted === undefined) return undefined;
    for (const slice of await listOfKind(store, EndpointSlice, namespace)) {
      if (slice.metadata?.labels?.['kubernetes.io/service-name'] !== name) continue;
      const found = slice.ports?.find((candidate) => (candidate.name ?? '') === (wanted.name ?? ''))?.port;
      const host = slice.endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses?.[0];
      if (found !== undefined && host !== undefined) return { host, port: found };
    }
    return undefined;
  };
}
