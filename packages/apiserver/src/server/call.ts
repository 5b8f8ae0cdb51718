import { managerName } from '@windlass/apimachinery';
import type { RequestAudit } from '../audit/request-audit.ts';
import type { ServerRequest } from '../exchange/exchange.ts';
import type { RequestContext } from '../request/context.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Target } from '../resource/target.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';

/** A request that is resolved: what it asks for, of which resource, and who is told of it. */
export interface Call {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  /** Undefined for paths that are no resources, and for resources that are not served. */
  readonly definition: ResourceDefinition | undefined;
  /** What the answer is to warn of. */
  readonly warnings: string[];
  readonly audit: RequestAudit | undefined;
}

/** A call of a resource that is served, with its body. */
export interface ResourceCall extends Call {
  readonly definition: ResourceDefinition;
}

export interface CallOptions {
  readonly isDryRun: boolean;
  /** What the query says; the client's name counts without it. */
  readonly fieldManager?: string | undefined;
}

export function contextOf(
  { request, warnings, audit }: Call,
  { clock, random, logger }: Pick<VerbRuntime, 'clock' | 'random' | 'logger'>,
  { isDryRun, fieldManager }: CallOptions,
): RequestContext {
  const userAgent = request.headers?.['user-agent'] ?? '';
  return {
    user: request.user,
    clock,
    random,
    logger,
    signal: request.signal,
    isDryRun,
    fieldManager: managerName(fieldManager, userAgent),
    userAgent,
    warn: (message) => void warnings.push(message),
    annotate: (key, value) => audit?.annotate(key, value),
  };
}

/** The object that a call is about; its name is empty for a collection. */
export function targetOf(
  call: ResourceCall,
  runtime: VerbRuntime,
  options: CallOptions = { isDryRun: false },
): Target {
  const { definition, info } = call;
  const { namespace, name } = info;
  return { definition, namespace, name, context: contextOf(call, runtime, options) };
}
