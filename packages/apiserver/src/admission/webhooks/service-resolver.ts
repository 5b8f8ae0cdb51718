import type { DeepReadonly } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { Store } from '../../storage/store.ts';
import type { ServiceResolver } from './call-webhook.ts';

/**
 * Straight to a ready endpoint: this process has no proxy for the addresses of services. A service of type
 * ExternalName leads to its name.
 */
export function serviceResolver(store: Store): ServiceResolver {
  return async (namespace, name, port) => {
    const service = (await store.get(`//services/${namespace}/${name}`))?.object as
      | DeepReadonly<Service>
      | undefined;
    if (service === undefined) return undefined;
    if (service.spec?.type === 'ExternalName') return { host: service.spec.externalName ?? '', port };
    const wanted = service.spec?.ports?.find((candidate) => candidate.port === port);
    if (wanted === undefined) return undefined;
    const { items } = await store.list(`/discovery.k8s.io/endpointslices/${namespace}/`);
    for (const { object } of items) {
      const slice = object as DeepReadonly<EndpointSlice>;
      if (slice.metadata?.labels?.['kubernetes.io/service-name'] !== name) continue;
      const found = slice.ports?.find((candidate) => (candidate.name ?? '') === (wanted.name ?? ''))?.port;
      const host = slice.endpoints?.find(({ conditions }) => conditions?.ready !== false)?.addresses?.[0];
      if (found !== undefined && host !== undefined) return { host, port: found };
    }
    return undefined;
  };
}
