import type { ServerResponse } from 'node:http';
import { type Logger, type MetricsRegistry, PROMETHEUS_CONTENT_TYPE } from '@windlass/base';
import type { HealthChecks } from './health-checks.ts';
import type { RequestHandler } from './http-server.ts';

/** What a path answers. A path that ends in a slash has everything below it. */
export type Routes = Readonly<Record<string, (url: URL, response: ServerResponse) => unknown>>;

export function routes(table: Routes): RequestHandler {
  return (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return send(response, 405, 'method not allowed\n');
    const path = url.pathname;
    const found =
      table[path] ?? Object.entries(table).find(([at]) => at.endsWith('/') && path.startsWith(at))?.[1];
    if (found === undefined)
      return send(response, 404, `there is no ${path}; there is ${Object.keys(table).join(', ')}\n`);
    return found(url, response);
  };
}

/** `/healthz` and `/healthz/NAME`, with `?verbose` and `?exclude=NAME`. */
export function healthRoutes(path: string, checks: HealthChecks, logger: Logger): Routes {
  const answer = async (url: URL, response: ServerResponse): Promise<void> => {
    const only = url.pathname.slice(path.length + 1);
    const report = await checks.report({
      only: only === '' ? undefined : only,
      exclude: url.searchParams.getAll('exclude'),
      isVerbose: url.searchParams.has('verbose'),
    });
    if (report === undefined) return send(response, 404, `there is no check ${JSON.stringify(only)}\n`);
    for (const [check, error] of report.failures)
      logger.warn('a health check failed', { path, check, error });
    send(response, report.isHealthy ? 200 : 500, report.text);
  };
  return { [path]: answer, [`${path}/`]: answer };
}

export function metricsRoutes(metrics: MetricsRegistry): Routes {
  return {
    '/metrics': (_, response) => {
      response.writeHead(200, { 'content-type': PROMETHEUS_CONTENT_TYPE });
      response.end(metrics.expose());
    },
  };
}

function send(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  response.end(text);
}
