import { newNotFound, newServiceUnavailable } from '@windlass/apimachinery';
import { Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { RequestContext } from '../request/context.ts';
import type { View } from '../resource/views.ts';
import type { Store } from '../storage/store.ts';

export interface ServiceEndpoint {
  readonly host: string;
  readonly port: number;
}

/** Finds what is behind a service. */
export interface ServiceEndpoints {
  /**
   * One of its ready endpoints, by chance. Undefined when none is ready.
   * @param port a number or a name; empty for the only port of a service
   * @throws StatusError 404 when there is no such service, 503 when it has no such port
   */
  choose(
    namespace: string,
    name: string,
    port: string,
    context: Pick<RequestContext, 'random'>,
  ): Promise<ServiceEndpoint | undefined>;
}

const SERVICE_NAME = 'kubernetes.io/service-name';

export function serviceEndpoints(store: Store): ServiceEndpoints {
  return {
    async choose(namespace, name, port, { random }) {
      const stored = await store.get(`//services/${namespace}/${name}`);
      if (stored === undefined) throw newNotFound({ group: Service.group, resource: Service.plural }, name);
      // What is stored there went through this server as a Service.
      const { spec } = stored.object as View<Service>;
      const ports = spec?.ports ?? [];
      const wanted =
        port === '' && ports.length === 1
          ? ports[0]
          : ports.find((each) => String(each.port) === port || each.name === port);
      if (wanted === undefined)
        throw newServiceUnavailable(
          `no service port ${JSON.stringify(port)} found for service ${JSON.stringify(name)}`,
        );
      const { items } = await store.list(`/discovery.k8s.io/endpointslices/${namespace}/`);
      const found = items.flatMap(({ object }) =>
        // What is stored there went through this server as EndpointSlices.
        readyEndpoints(object as View<EndpointSlice>, name, wanted.name ?? ''),
      );
      return found.length === 0 ? undefined : found[random.int(found.length)];
    },
  };
}

function readyEndpoints(
  { metadata, endpoints, ports }: View<EndpointSlice>,
  service: string,
  portName: string,
): ServiceEndpoint[] {
  if (metadata?.labels?.[SERVICE_NAME] !== service) return [];
  const port = ports?.find(({ name = '' }) => name === portName)?.port;
  if (port === undefined) return [];
  return (endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready !== false)
    .flatMap(({ addresses }) => (addresses ?? []).map((host) => ({ host, port })));
}
