import { networkInterfaces } from 'node:os';
import { advertisedAddress } from '@windlass/apiserver';

/** Of the service `kubernetes`: the first of the services' addresses. */
const SERVICE_ADDRESS = '10.0.0.1';
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** By which names and addresses an API server is known. */
export interface ServerPlace {
  /** What its certificate is for. */
  readonly hosts: readonly string[];
  /** For who is on the machine, as an administrator is. */
  readonly host: string;
  /** For nodes. */
  readonly forNodes: string;
  /** For pods: where the service `kubernetes` leads. Undefined leaves it to the API server. */
  readonly endpoint: string | undefined;
}

/**
 * @param host what it listens on
 * @param advertise what others are told; undefined: the host, or the machine's first address when that is everywhere
 */
export function serverPlace(
  host: string,
  advertise: string | undefined,
  interfaces: Parameters<typeof advertisedAddress>[1] = networkInterfaces(),
): ServerPlace {
  const usual = EVERYWHERE.has(host) ? (advertisedAddress(host, interfaces) ?? '127.0.0.1') : host;
  const own = EVERYWHERE.has(host) && advertise !== undefined ? advertise : usual;
  const forNodes = advertise ?? usual;
  const names = [
    'localhost',
    '127.0.0.1',
    '::1',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
  ];
  return {
    hosts: [...new Set([...names, SERVICE_ADDRESS, own, forNodes])],
    host: own,
    forNodes,
    // A loopback address may be no endpoint.
    endpoint: advertise === undefined ? undefined : advertisedAddress(advertise, {}),
  };
}

/** @example serverUrl('::1', 7443) // 'https://[::1]:7443' */
export function serverUrl(host: string, port: number): string {
  return `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
