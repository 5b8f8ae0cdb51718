import { isIPv6 } from 'node:net';
import { type ClientOf, GrpcClient, GrpcError, methodsOf, type ProtocolTable } from '@windlass/grpc';
import type { ProbeOutcome } from '../../runtime/runtime.ts';

/** The health service that servers of gRPC have by convention. */
const HEALTH = {
  package: 'grpc.health.v1',
  messages: { HealthCheckRequest: '1 service s', HealthCheckResponse: '1 status #ServingStatus' },
  enums: { ServingStatus: '0 UNKNOWN|1 SERVING|2 NOT_SERVING|3 SERVICE_UNKNOWN' },
  services: { Health: { check: 'Check HealthCheckRequest HealthCheckResponse' } },
} as const satisfies ProtocolTable;

interface HealthMethods {
  check: { request: { readonly service: string }; response: { readonly status: string } };
}

class Client extends GrpcClient {
  constructor(host: string, port: number) {
    super(methodsOf(HEALTH, 'Health'), {
      target: { url: `http://${isIPv6(host) ? `[${host}]` : host}:${port}` },
    });
  }
}

// The methods come from the table at run time; the type above says which ones.
const HealthClient = Client as unknown as new (
  host: string,
  port: number,
) => ClientOf<HealthMethods> & Pick<GrpcClient, 'close' | typeof Symbol.asyncDispose>;

/** Asks a server of gRPC whether it serves. */
export async function grpcCheck(
  { host, port, service }: { readonly host: string; readonly port: number; readonly service: string },
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<ProbeOutcome> {
  const client = new HealthClient(host, port);
  try {
    const { status } = await client.check({ service }, { timeoutMs, signal });
    if (status === 'SERVING') return { isSuccess: true, output: 'service healthy' };
    return {
      isSuccess: false,
      output: `service unhealthy (responded with "${status}")`,
    };
  } catch (error) {
    if (!(error instanceof GrpcError)) throw error;
    const output =
      error.code === 'UNIMPLEMENTED'
        ? 'this server does not implement the grpc health protocol (grpc.health.v1.Health)'
        : error.code === 'DEADLINE_EXCEEDED'
          ? `timeout: failed to connect service "${host}:${port}" within ${timeoutMs / 1000}s`
          : `the health of "${host}:${port}" cannot be asked: ${error.message}`;
    return { isSuccess: false, output };
  } finally {
    await client.close();
  }
}
