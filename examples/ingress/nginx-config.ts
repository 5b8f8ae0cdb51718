// From what the cluster says to what nginx reads: a pure function, in a stable order.
import type { Cached } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import type { Ingress } from '@windlass/apimachinery/api/networking/v1';

export interface ClusterView {
  readonly ingresses: readonly Cached<Ingress>[];
  readonly services: readonly Cached<Service>[];
  readonly slices: readonly Cached<EndpointSlice>[];
}

export interface NginxSettings {
  /** Where nginx listens: `127.0.0.1:8080`. */
  readonly listen: string;
  /** For its pid and temporary files. */
  readonly folder: string;
  /** Where an endpoint is reached from here, if not at its own address. @default its own address */
  readonly reach?: (address: string) => string;
}

interface Route {
  readonly host: string;
  readonly path: string;
  readonly isExact: boolean;
  readonly upstream: string;
}

export function nginxConfig(view: ClusterView, settings: NginxSettings): string {
  const { listen, folder, reach = (address: string): string => address } = settings;
  const upstreams = new Map<string, readonly string[]>();
  const routes = routesOf(view, upstreams);
  const hosts = Map.groupBy(routes, ({ host }) => host);
  const lines = [
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events {}',
    'http {',
    '  access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `  ${name}_temp_path ${folder}/${name};`,
    ),
    ...[...upstreams.keys()]
      .sort()
      .flatMap((name) => upstreamLines(name, (upstreams.get(name) ?? []).map(reach))),
    `  server { listen ${listen} default_server; return 404; }`,
    ...[...hosts.keys()].sort().flatMap((host) => serverLines(host, listen, hosts.get(host) ?? [])),
    '}',
  ];
  return `${lines.join('\n')}\n`;
}

function routesOf(
  { ingresses, services, slices }: ClusterView,
  upstreams: Map<string, readonly string[]>,
): Route[] {
  const routes: Route[] = [];
  for (const { metadata, spec } of ingresses) {
    const namespace = metadata.namespace;
    for (const { host = '_', http } of spec?.rules ?? []) {
      // What reaches a configuration file must not be able to end a line in it.
      if (!/^[a-z0-9*._-]+$/i.test(host)) continue;
      for (const { path = '/', pathType, backend } of http?.paths ?? []) {
        const service = services.find(
          (other) => other.metadata.namespace === namespace && other.metadata.name === backend.service?.name,
        );
        if (service === undefined || !/^\/[\w\-./~%]*$/.test(path)) continue;
        const wanted = backend.service?.port;
        const port = service.spec?.ports?.find(
          ({ port: number, name }) =>
            number === wanted?.number || (name !== undefined && name === wanted?.name),
        );
        if (port === undefined) continue;
        const upstream = `${namespace}_${service.metadata.name}_${port.port}`.replaceAll('-', '_');
        upstreams.set(upstream, addressesOf(service, port.name, slices));
        routes.push({ host, path, isExact: pathType === 'Exact', upstream });
      }
    }
  }
  return routes;
}

function addressesOf(
  { metadata }: Cached<Service>,
  portName: string | undefined,
  slices: readonly Cached<EndpointSlice>[],
): string[] {
  const own = slices.filter(
    (slice) =>
      slice.metadata.namespace === metadata.namespace &&
      slice.metadata.labels?.['kubernetes.io/service-name'] === metadata.name,
  );
  const addresses = own.flatMap(({ endpoints, ports }) => {
    const port = ports?.find(({ name }) => (name ?? '') === (portName ?? ''))?.port;
    if (port === undefined) return [];
    const ready = (endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false);
    return ready.flatMap((endpoint) => endpoint.addresses.map((address) => `${address}:${port}`));
  });
  return [...new Set(addresses)].sort();
}

function upstreamLines(name: string, addresses: readonly string[]): string[] {
  // nginx refuses an upstream without a server; this one says 503 by itself.
  const servers =
    addresses.length === 0 ? ['    server 127.0.0.1:9 down;'] : addresses.map((at) => `    server ${at};`);
  return [`  upstream ${name} {`, ...servers, '  }'];
}

function serverLines(host: string, listen: string, routes: readonly Route[]): string[] {
  const unique = new Map(routes.map((route) => [`${route.isExact ? '= ' : ''}${route.path}`, route]));
  const locations = [...unique]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([location, { upstream }]) => `    location ${location} { proxy_pass http://${upstream}; }`);
  return ['  server {', `    listen ${listen};`, `    server_name ${host};`, ...locations, '  }'];
}
