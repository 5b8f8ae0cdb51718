import type { DeepReadonly } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';

/** The services of the API server itself, which every container knows. */
export const MASTER_NAMESPACE = 'default';
const MASTER_SERVICE = 'kubernetes';

interface Named {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec?: DeepReadonly<Service['spec']>;
}

/**
 * The variables by which a container finds services: those of its own namespace, where the pod wants them, and the API
 * server. Headless services have none.
 */
export function serviceVariables(
  services: readonly Named[],
  { namespace, areLinked }: { readonly namespace: string; readonly areLinked: boolean },
): Map<string, string> {
  const variables = new Map<string, string>();
  for (const { metadata, spec } of services) {
    const isMaster = metadata.namespace === MASTER_NAMESPACE && metadata.name === MASTER_SERVICE;
    if (!isMaster && (!areLinked || metadata.namespace !== namespace)) continue;
    const host = spec?.clusterIP ?? '';
    if (host === '' || host === 'None') continue;
    addVariables(variables, metadata.name, host, spec?.ports ?? []);
  }
  return variables;
}

function addVariables(
  variables: Map<string, string>,
  service: string,
  host: string,
  ports: DeepReadonly<NonNullable<NonNullable<Service['spec']>['ports']>>,
): void {
  const prefix = upper(service);
  const [first] = ports;
  if (first === undefined) return;
  variables.set(`${prefix}_SERVICE_HOST`, host);
  variables.set(`${prefix}_SERVICE_PORT`, String(first.port));
  for (const { name = '', port } of ports)
    if (name !== '') variables.set(`${prefix}_SERVICE_PORT_${upper(name)}`, String(port));
  // As links of Docker had them.
  const address = host.includes(':') ? `[${host}]` : host;
  for (const [index, { port, protocol = 'TCP' }] of ports.entries()) {
    const url = `${protocol.toLowerCase()}://${address}:${port}`;
    if (index === 0) variables.set(`${prefix}_PORT`, url);
    const each = `${prefix}_PORT_${port}_${protocol.toUpperCase()}`;
    variables.set(each, url);
    variables.set(`${each}_PROTO`, protocol.toLowerCase());
    variables.set(`${each}_PORT`, String(port));
    variables.set(`${each}_ADDR`, host);
  }
}

function upper(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
