// Where a probe or a hook goes: addresses and ports, found from the pod.
import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container, HTTPGetAction } from '@windlass/apimachinery/api/core/v1';
import { WindlassError } from '@windlass/base';

/** A port that the container does not have. */
export class UnknownPortError extends WindlassError {
  constructor(message: string) {
    super(message, { code: 'UNKNOWN_PORT' });
  }
}

/** @throws UnknownPortError when no port of the container has the name */
export function portOf(port: number | string, { name, ports = [] }: DeepReadonly<Container>): number {
  if (typeof port === 'number') return port;
  const named = ports.find((each) => each.name === port);
  if (named !== undefined) return named.containerPort;
  const number = Number(port);
  if (Number.isInteger(number) && number > 0) return number;
  throw new UnknownPortError(`container "${name}" has no port named "${port}"`);
}

export interface HttpTarget {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function httpTarget(
  address: string,
  container: DeepReadonly<Container>,
  { host = '', path = '/', port, scheme = 'HTTP', httpHeaders = [] }: DeepReadonly<HTTPGetAction>,
  userAgent: string,
): HttpTarget {
  return {
    scheme: scheme === 'HTTPS' ? 'https' : 'http',
    host: host === '' ? address : host,
    port: portOf(port, container),
    path: path.startsWith('/') ? path : `/${path}`,
    headers: {
      'user-agent': userAgent,
      accept: '*/*',
      connection: 'close',
      ...Object.fromEntries(httpHeaders.map(({ name, value }) => [name.toLowerCase(), value])),
    },
  };
}
