import type { Logger, MetricsRegistry } from '@windlass/base';
import { parseAddress } from '../servers/address.ts';
import { healthRoutes, metricsRoutes, type Routes, routes } from '../servers/endpoints.ts';
import type { HealthChecks } from '../servers/health-checks.ts';
import { HttpServer } from '../servers/http-server.ts';

export interface ProbeServersOptions {
  readonly metricsAddress: string | undefined;
  readonly healthAddress: string | undefined;
  readonly metrics: MetricsRegistry;
  readonly health: HealthChecks;
  readonly readiness: HealthChecks;
  readonly logger: Logger;
}

/** The servers that a manager was asked for: one for metrics and one for health, or one for both. */
export interface ProbeServers {
  readonly metrics?: HttpServer;
  readonly health?: HttpServer;
}

export function probeServers(options: ProbeServersOptions): ProbeServers {
  const { metricsAddress, healthAddress, logger } = options;
  const serve = (option: string, address: string, table: Routes): HttpServer =>
    new HttpServer({
      name: option.replace('Address', ' server'),
      address: parseAddress(option, address),
      handle: routes(table),
      logger,
    });
  const metrics = metricsRoutes(options.metrics);
  const health = {
    ...healthRoutes('/healthz', options.health, logger),
    ...healthRoutes('/readyz', options.readiness, logger),
  };
  if (metricsAddress !== undefined && metricsAddress === healthAddress) {
    const both = serve('metricsAddress', metricsAddress, { ...metrics, ...health });
    return { metrics: both, health: both };
  }
  return {
    ...(metricsAddress !== undefined && { metrics: serve('metricsAddress', metricsAddress, metrics) }),
    ...(healthAddress !== undefined && { health: serve('healthAddress', healthAddress, health) }),
  };
}
