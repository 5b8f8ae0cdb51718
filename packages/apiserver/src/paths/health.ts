import { goQuote, kubernetesRelease } from '@windlass/apimachinery';
import { PROMETHEUS_CONTENT_TYPE } from '@windlass/base';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import { first } from '../request/list-options.ts';

type Endpoint = 'healthz' | 'livez' | 'readyz';

/** Something that must be well for the server to be. */
export interface HealthCheck {
  readonly name: string;
  /** Another name by which it may be asked for or excluded. */
  readonly alias?: string;
  /** Where it counts. @default everywhere */
  readonly endpoints?: readonly Endpoint[];
  /** Undefined when all is well; else what is wrong. */
  readonly check: () => string | undefined | Promise<string | undefined>;
}

/**
 * `/healthz`, `/livez` and `/readyz`, whole or one check at a time, as probes and people ask for them. What is wrong
 * is told only to who asks for one check: the whole may be asked by anybody, and reasons name paths of the machine.
 */
export function healthPaths(checks: readonly HealthCheck[]): PathHandler {
  return (request) => {
    const match = /^\/(healthz|livez|readyz)(?:\/(.+?))?\/?$/.exec(request.path);
    if (match === null) return undefined;
    // The pattern has no other.
    const endpoint = match[1] as Endpoint;
    const here = checks.filter(({ endpoints }) => endpoints?.includes(endpoint) ?? true);
    if (match[2] !== undefined) return answerOne(here.find(isNamed(new Set([match[2]]))));
    const excluded = new Set([request.query?.['exclude'] ?? []].flat());
    const isVerbose = first(request.query?.['verbose']) !== undefined;
    return answerAll(endpoint, here, excluded, isVerbose);
  };
}

function isNamed(names: ReadonlySet<string>): (check: HealthCheck) => boolean {
  return ({ name, alias }) => names.has(name) || (alias !== undefined && names.has(alias));
}

async function answerOne(check: HealthCheck | undefined): Promise<ServerResponse> {
  if (check === undefined) return text(404, '404 page not found\n');
  const problem = await check.check();
  return problem === undefined ? text(200, 'ok') : text(500, `internal server error: ${problem}\n`);
}

async function answerAll(
  endpoint: Endpoint,
  checks: readonly HealthCheck[],
  excluded: ReadonlySet<string>,
  isVerbose: boolean,
): Promise<ServerResponse> {
  const isExcluded = isNamed(excluded);
  const problems = await Promise.all(
    checks.map(async (check) => (isExcluded(check) ? undefined : check.check())),
  );
  const lines = checks.map((check, index) => {
    if (isExcluded(check)) return `[+]${check.name} excluded: ok`;
    return problems[index] === undefined ? `[+]${check.name} ok` : `[-]${check.name} failed: reason withheld`;
  });
  const unmatched = [...excluded].filter((name) => !checks.some(isNamed(new Set([name]))));
  if (unmatched.length > 0)
    lines.push(
      `warn: some health checks cannot be excluded: no matches for ${unmatched.map(goQuote).join(',')}`,
    );
  if (problems.some((problem) => problem !== undefined))
    return text(500, `${lines.join('\n')}\n${endpoint} check failed\n`);
  return text(200, isVerbose ? `${lines.join('\n')}\n${endpoint} check passed\n` : 'ok');
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
