import { type Logger, turnMarks } from '@windlass/base';
import type { Authorizer } from '../access/authorizer.ts';
import { impersonated } from '../access/impersonation.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { ServerRequest, ServerResponse } from '../exchange/exchange.ts';
import type { PathHandler } from '../exchange/path-handler.ts';
import { checkCommonParameters } from '../request/common-options.ts';
import { type RequestInfo, requestInfoOf } from '../request/request-info.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import { authorizeCall } from './authorize-call.ts';
import type { Call } from './call.ts';
import { checkServed, notServed } from './check-served.ts';
import { failureResponse } from './failure-response.ts';
import { serveConnect } from './serve-connect.ts';
import { type ServeOptions, serveResource } from './serve-resource.ts';
import { serveSubresource } from './serve-subresource.ts';
import { warningHeaders } from './warnings.ts';

export interface DispatcherOptions extends ServeOptions {
  readonly authorizer: Authorizer;
  /** Answers what belongs to other servers, once it is authorised. @default nothing does */
  readonly delegate?: PathHandler;
  /** Asked in their order. */
  readonly paths: readonly PathHandler[];
  readonly logger: Logger;
  /** @default nothing is told of requests */
  readonly auditor?: Auditor | undefined;
}

/**
 * From a request to its answer. It always answers: what goes wrong becomes the Status that Kubernetes gives. HTTP and
 * in-process callers both end here. The steps, each of which may refuse:
 *
 *   resolve ─► audit ─► impersonate ─► seats ─► authorise ─► check the path ─► read the body ─► the verb ─► warnings
 *                                                   └─► another server, when an APIService says so
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async handle(request: ServerRequest): Promise<ServerResponse> {
    turnMarks.doing(request.method, request.path);
    const info = request.info ?? requestInfoOf(request);
    const audit = this.#options.auditor?.begin(request, request.user, info);
    const call: Call = { request, info, definition: this.#definitionOf(info), warnings: [], audit };
    if (audit === undefined) return this.#answer(call);
    await audit.received();
    return audit.responded(await this.#answer(call));
  }

  #definitionOf({
    isResourceRequest,
    group,
    version,
    resource,
  }: RequestInfo): ResourceDefinition | undefined {
    return isResourceRequest ? this.#options.runtime.catalog.find(group, version, resource) : undefined;
  }

  async #answer(call: Call): Promise<ServerResponse> {
    const { request, definition, warnings } = call;
    let response: ServerResponse;
    try {
      response = await this.#serve(this.#impersonated(call));
    } catch (error) {
      response = failureResponse(error, request, this.#options.logger);
    }
    return {
      ...response,
      ...(warnings.length > 0 && { headers: { ...response.headers, ...warningHeaders(warnings) } }),
      ...(definition !== undefined && isOwnForm(call) && { definition }),
    };
  }

  #impersonated(call: Call): Call {
    const { request, audit } = call;
    const user = impersonated(request.user, request.headers ?? {}, this.#options.authorizer);
    if (user === request.user) return call;
    audit?.impersonated(user);
    return { ...call, request: { ...request, user } };
  }

  async #serve(call: Call): Promise<ServerResponse> {
    const { request, info, definition } = call;
    const seated = request.takeSeats?.(request.user);
    if (seated !== undefined) await seated;
    authorizeCall(call, this.#options.authorizer);
    const delegated = await this.#options.delegate?.(request, info);
    if (delegated !== undefined) return delegated;
    checkCommonParameters(info, request.query ?? {});
    if (!info.isResourceRequest) return this.#servePath(call);
    if (definition === undefined) {
      if (!this.#options.runtime.catalog.hasGroupVersion(info.group, info.version)) return NO_PAGE;
      throw notServed();
    }
    checkServed(request, info, definition);
    warnOfDeprecation(call, definition);
    const subresource = definition.subresources.get(info.subresource);
    if (subresource?.form.type === 'connect')
      return serveConnect({ ...call, definition }, subresource, subresource.form, this.#options);
    const resolved = { ...call, definition, request: await withBody(request) };
    return info.subresource === ''
      ? serveResource(resolved, this.#options)
      : serveSubresource(resolved, this.#options);
  }

  async #servePath({ request, info }: Call): Promise<ServerResponse> {
    for (const handle of this.#options.paths) {
      const response = await handle(request, info);
      if (response !== undefined) return response;
    }
    return NO_PAGE;
  }
}

/** Subresources of built-in kinds speak kinds that are not deprecated; custom ones warn whatever is asked for. */
function warnOfDeprecation({ info, warnings }: Call, { deprecation, isCustom }: ResourceDefinition): void {
  if (deprecation !== undefined && (isCustom || info.subresource === '')) warnings.push(deprecation);
}

/** Other subresources speak a kind of their own. */
function isOwnForm({ info }: Call): boolean {
  return info.subresource === '' || info.subresource === 'status';
}

/** Where nothing is served at all, nobody speaks the API's language. */
const NO_PAGE: ServerResponse = Object.freeze({
  type: 'bytes',
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
});

async function withBody(request: ServerRequest): Promise<ServerRequest> {
  const body = await request.readBody?.();
  return body === undefined ? request : { ...request, body };
}
