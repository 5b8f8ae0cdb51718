import { kubernetesRelease } from '@windlass/apimachinery';
import { PROMETHEUS_CONTENT_TYPE } from '@windlass/base';
import { first } from '../request/list-options.ts';
import type { PathHandler } from '../server/dispatcher.ts';
import type { ServerResponse } from '../server/exchange.ts';

/** Something that must be well for the server to be. Undefined when it is; else what is wrong. */
export interface HealthCheck {
  readonly name: string;
  readonly check: () => string | undefined;
}

/** `/healthz`, `/livez` and `/readyz`, whole or one check at a time, as probes and people ask for them. */
export function healthPaths(checks: readonly HealthCheck[]): PathHandler {
  return (request) => {
    const match = /^\/(healthz|livez|readyz)(?:\/([^/]+))?\/?$/.exec(request.path);
    if (match === null) return undefined;
    const [, endpoint = '', only] = match;
    const excluded = new Set([request.query?.['exclude'] ?? []].flat());
    const asked =
      only === undefined
        ? checks.filter(({ name }) => !excluded.has(name))
        : checks.filter(({ name }) => name === only);
    if (only !== undefined && asked.length === 0) return text(404, '404 page not found\n');
    const lines: string[] = [];
    let isWell = true;
    for (const { name, check } of asked) {
      const problem = check();
      isWell &&= problem === undefined;
      lines.push(problem === undefined ? `[+]${name} ok` : `[-]${name} failed: ${problem}`);
    }
    const verdict = `${endpoint} check ${isWell ? 'passed' : 'failed'}`;
    if (!isWell) return text(500, `${lines.join('\n')}\n${verdict}\n`);
    return text(
      200,
      first(request.query?.['verbose']) === undefined ? 'ok' : `${lines.join('\n')}\n${verdict}\n`,
    );
  };
}

export function metricsPath(expose: () => string): PathHandler {
  return (request) => {
    if (request.path !== '/metrics') return undefined;
    return { type: 'bytes', status: 200, contentType: PROMETHEUS_CONTENT_TYPE, body: expose() };
  };
}

/** The release whose API is served, as `kubectl version` shows it. */
export function versionPath(): PathHandler {
  return (request) => {
    if (request.path !== '/version' && request.path !== '/version/') return undefined;
    const gitVersion = `${kubernetesRelease()}+windlass`;
    const [major = '', minor = ''] = kubernetesRelease().replace(/^v/, '').split('.');
    return {
      type: 'object',
      status: 200,
      object: {
        major,
        minor,
        gitVersion,
        gitCommit: '',
        gitTreeState: 'clean',
        buildDate: '1970-01-01T00:00:00Z',
        goVersion: `node ${process.version}`,
        compiler: 'v8',
        platform: `${process.platform}/${process.arch}`,
      },
    };
  };
}

function text(status: number, body: string): ServerResponse {
  return { type: 'bytes', status, contentType: 'text/plain; charset=utf-8', body };
}
