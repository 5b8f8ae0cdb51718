import {
  deepCopy,
  failureStatus,
  managerName,
  newAccessDenied,
  newBadRequest,
  newMethodNotSupported,
  StatusError,
  toStatus,
} from '@windlass/apimachinery';
import type { Logger } from '@windlass/base';
import type { Authorizer } from '../access/authorizer.ts';
import { impersonated } from '../access/impersonation.ts';
import type { Auditor } from '../audit/auditor.ts';
import type { RequestAudit } from '../audit/request-audit.ts';
import { checkKind, contentTypeOf, readBody, readPatch } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { parseDeleteParameters } from '../request/delete-options.ts';
import { first, parseListParameters } from '../request/list-options.ts';
import { type RequestInfo, requestInfoOf } from '../request/request-info.ts';
import {
  dryRunErrors,
  parseWriteParameters,
  reportProblems,
  type WriteParameters,
} from '../request/write-options.ts';
import type { ResourceDefinition, SubresourceDefinition, Verb } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { checkNamespace, createObject } from '../verbs/create.ts';
import { deleteObject } from '../verbs/delete.ts';
import { deleteCollection } from '../verbs/delete-collection.ts';
import { getObject } from '../verbs/get.ts';
import { listObjects } from '../verbs/list.ts';
import { dedupeOwners } from '../verbs/metadata.ts';
import { patchObject, patchTypeOf } from '../verbs/patch.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { patchScale, readScale, writeScale } from '../verbs/scale.ts';
import { groupResource, type Target } from '../verbs/target.ts';
import { type UpdateOutcome, updateObject } from '../verbs/update.ts';
import { watchObjects } from '../verbs/watch.ts';
import type { ServerRequest, ServerResponse } from './exchange.ts';

/** Answers paths that are no resources: discovery, health, metrics. Undefined when the path is not its own. */
export type PathHandler = (
  request: ServerRequest,
  info: RequestInfo,
) => Promise<ServerResponse | undefined> | ServerResponse | undefined;

export interface DispatcherOptions {
  readonly runtime: VerbRuntime;
  readonly authorizer: Authorizer;
  /** Asked in their order. */
  readonly paths: readonly PathHandler[];
  readonly logger: Logger;
  /** @default nothing is told of requests */
  readonly auditor?: Auditor | undefined;
}

/**
 * From a request to its answer: who may, what is meant, which verb. It always answers: what goes wrong
 * becomes the Status that Kubernetes gives. HTTP and in-process callers both end here.
 */
export class Dispatcher {
  readonly #options: DispatcherOptions;

  constructor(options: DispatcherOptions) {
    this.#options = options;
  }

  async handle(request: ServerRequest): Promise<ServerResponse> {
    const { auditor } = this.#options;
    const audit =
      auditor === undefined ? undefined : auditor.begin(request, request.user, requestInfoOf(request));
    if (audit === undefined) return this.#answer(request, undefined);
    await audit.received();
    return audit.responded(await this.#answer(request, audit));
  }

  async #answer(request: ServerRequest, audit: RequestAudit | undefined): Promise<ServerResponse> {
    const warnings: string[] = [];
    try {
      const asked = this.#asWhom(request);
      if (asked !== request) audit?.impersonated(asked.user);
      const response = await this.#route(asked, requestInfoOf(request), warnings, audit);
      return warnings.length === 0
        ? response
        : { ...response, headers: { ...response.headers, warning: warningHeader(warnings) } };
    } catch (thrown) {
      return this.#failure(thrown, request, warnings);
    }
  }

  #asWhom(request: ServerRequest): ServerRequest {
    const user = impersonated(request.user, request.headers ?? {}, this.#options.authorizer);
    return user === request.user ? request : { ...request, user };
  }

  async #route(
    request: ServerRequest,
    info: RequestInfo,
    warnings: string[],
    audit: RequestAudit | undefined,
  ): Promise<ServerResponse> {
    this.#authorize(request, info, audit);
    if (!info.isResourceRequest) {
      for (const handle of this.#options.paths) {
        const response = await handle(request, info);
        if (response !== undefined) return response;
      }
      return NO_PAGE;
    }
    const { catalog } = this.#options.runtime;
    const definition = catalog.find(info.group, info.version, info.resource);
    if (definition === undefined && !catalog.hasGroupVersion(info.group, info.version)) return NO_PAGE;
    if (definition === undefined || (!definition.namespaced && info.namespace !== '')) throw notServed();
    const call: Call = { request, info, definition, warnings, audit };
    if (info.subresource !== '') return this.#subresource(call);
    if (!definition.verbs.some((verb) => verb === info.verb)) throw notAllowed();
    return this.#resource(call);
  }

  async #resource(call: Call): Promise<ServerResponse> {
    const { info, definition } = call;
    const { runtime } = this.#options;
    const query = call.request.query ?? {};
    switch (info.verb as Verb) {
      case 'get': {
        const found = await getObject(runtime, this.#target(call), first(query['resourceVersion']));
        return { type: 'object', status: 200, ...found };
      }
      case 'list':
        return {
          type: 'list',
          status: 200,
          list: await listObjects(runtime, this.#collection(call), parseListParameters(query, false)),
        };
      case 'watch':
        return {
          type: 'watch',
          status: 200,
          events: await watchObjects(runtime, this.#collection(call), parseListParameters(query, true)),
        };
      case 'create':
        return this.#create(call);
      case 'update':
        return this.#update(call, '');
      case 'patch':
        return this.#patch(call, '');
      case 'delete':
        return this.#delete(call);
      case 'deletecollection': {
        const parameters = this.#deleteParameters(call);
        const context = this.#context(call, parameters.dryRun.length > 0);
        const list = parseListParameters({ ...query, limit: undefined }, false);
        return {
          type: 'list',
          status: 200,
          list: await deleteCollection(runtime, { ...this.#collection(call), context }, list, parameters),
        };
      }
      default:
        throw newMethodNotSupported({ group: definition.group, resource: definition.plural }, info.verb);
    }
  }

  async #create(call: Call): Promise<ServerResponse> {
    const { request, definition, info } = call;
    if (info.name !== '') throw newMethodNotSupported(groupResource(call), 'create');
    if (definition.namespaced && info.namespace === '') throw notServed();
    const parameters = parseWriteParameters(request.query ?? {}, 'CreateOptions');
    const context = this.#context(call, parameters.isDryRun, parameters.fieldManager);
    const draft = this.#readDraft(call, parameters, context);
    checkNamespace(definition, draft, info.namespace);
    if (definition.review !== undefined)
      return { type: 'object', status: 201, object: await definition.review(draft, context) };
    const created = await createObject(this.#options.runtime, {
      definition,
      namespace: info.namespace,
      draft,
      options: parameters.raw,
      context,
    });
    return { type: 'object', status: 201, ...created };
  }

  async #update(call: Call, subresource: string): Promise<ServerResponse> {
    const { request, definition, info } = call;
    const { runtime } = this.#options;
    const parameters = parseWriteParameters(request.query ?? {}, 'UpdateOptions');
    const context = this.#context(call, parameters.isDryRun, parameters.fieldManager);
    const draft = this.#readDraft(call, parameters, context);
    checkNamespace(definition, draft, info.namespace);
    checkName(draft, info.name);
    dedupeOwners(draft, context, false);
    const target: Target = { definition, namespace: info.namespace, name: info.name, context };
    const outcome = await updateObject(runtime, {
      target,
      subresource,
      options: parameters.raw,
      expectedUid: draft.metadata?.uid,
      change: (live) => {
        // Each attempt begins from what the client sent: the one before may have changed its draft.
        const fresh = deepCopy<Draft>(draft);
        const { object, problem } = runtime
          .fieldManager(definition, subresource)
          .update<Draft>({ live: live as Draft | undefined, updated: fresh, manager: context.fieldManager });
        if (problem !== undefined)
          context.logger.warn('managed fields could not be kept', { error: problem });
        return object;
      },
    });
    return objectResponse(outcome);
  }

  async #patch(call: Call, subresource: string): Promise<ServerResponse> {
    const { request, definition, info } = call;
    const type = patchTypeOf(definition, contentTypeOf(request));
    const parameters = parseWriteParameters(request.query ?? {}, 'PatchOptions', type === 'apply');
    const context = this.#context(call, parameters.isDryRun, parameters.fieldManager);
    const body = readPatch(request, type === 'apply');
    call.audit?.requestObject(body.value);
    const target: Target = { definition, namespace: info.namespace, name: info.name, context };
    reportProblems(body.problems, parameters.fieldValidation, definition, context);
    const outcome = await patchObject(this.#options.runtime, {
      target,
      subresource,
      type,
      patch: body.value,
      force: parameters.force,
      options: parameters.raw,
      onProblems: (problems) => reportProblems(problems, parameters.fieldValidation, definition, context),
    });
    return objectResponse(outcome);
  }

  async #delete(call: Call): Promise<ServerResponse> {
    const parameters = this.#deleteParameters(call);
    const context = this.#context(call, parameters.dryRun.length > 0);
    const { answer, isGone } = await deleteObject(
      this.#options.runtime,
      { ...this.#target(call), context },
      parameters,
    );
    const status = !isGone && parameters.orphanDependents === false ? 202 : 200;
    return { type: 'object', status, object: answer };
  }

  #deleteParameters(call: Call): ReturnType<typeof parseDeleteParameters> {
    const body = readBody(call.request, false)?.value;
    if (body !== undefined) call.audit?.requestObject(body);
    if (body !== undefined && (typeof body !== 'object' || body === null))
      throw newBadRequest('the body of a delete must be a DeleteOptions object');
    const parameters = parseDeleteParameters(
      body as Record<string, unknown> | undefined,
      call.request.query ?? {},
    );
    const errors = dryRunErrors(parameters.dryRun);
    if (errors.length > 0) throw newBadRequest(errors.map(({ detail }) => detail).join(', '));
    return parameters;
  }

  async #subresource(call: Call): Promise<ServerResponse> {
    const { definition, info } = call;
    const subresource = definition.subresources.get(info.subresource);
    if (subresource === undefined) throw notServed();
    if (!subresource.verbs.some((verb) => verb === info.verb)) throw notAllowed();
    switch (subresource.form.type) {
      case 'status':
      case 'part':
        if (info.verb === 'get') return this.#resource(call);
        return info.verb === 'update'
          ? this.#update(call, info.subresource)
          : this.#patch(call, info.subresource);
      case 'scale':
        return this.#scale(call, subresource.form);
      case 'custom':
        return this.#custom(call, subresource, subresource.form.handle);
      default:
        return subresource.form satisfies never;
    }
  }

  async #scale(
    call: Call,
    form: Extract<SubresourceDefinition['form'], { type: 'scale' }>,
  ): Promise<ServerResponse> {
    const { request, info } = call;
    const { runtime } = this.#options;
    if (info.verb === 'get')
      return { type: 'object', status: 200, object: await readScale(runtime, this.#target(call), form) };
    const isPatch = info.verb === 'patch';
    const type = isPatch ? patchTypeOf(call.definition, contentTypeOf(request)) : undefined;
    const parameters = parseWriteParameters(
      request.query ?? {},
      isPatch ? 'PatchOptions' : 'UpdateOptions',
      type === 'apply',
    );
    const context = this.#context(call, parameters.isDryRun, parameters.fieldManager);
    const target = { ...this.#target(call), context };
    const options = parameters.raw;
    if (type === undefined) {
      const scale = readBody(request, false)?.value;
      call.audit?.requestObject(scale);
      return {
        type: 'object',
        status: 200,
        object: await writeScale(runtime, target, form, scale, options),
      };
    }
    const patch = readPatch(request, type === 'apply').value;
    call.audit?.requestObject(patch);
    return {
      type: 'object',
      status: 200,
      object: await patchScale(runtime, target, form, { type, patch, force: parameters.force, options }),
    };
  }

  async #custom(
    call: Call,
    subresource: SubresourceDefinition,
    handle: Extract<SubresourceDefinition['form'], { type: 'custom' }>['handle'],
  ): Promise<ServerResponse> {
    const { request, info } = call;
    const body = readBody(request, false);
    if (body !== undefined) call.audit?.requestObject(body.value);
    const query = request.query ?? {};
    const parameters =
      info.verb === 'get'
        ? undefined
        : parseWriteParameters(query, info.verb === 'create' ? 'CreateOptions' : 'UpdateOptions');
    const context = this.#context(call, parameters?.isDryRun ?? false, parameters?.fieldManager);
    const draft: Draft | undefined =
      body === undefined ? undefined : structuredClone(checkKind(subresource.kind, body.value));
    if (draft !== undefined) checkNamespace(call.definition, draft, info.namespace);
    if (parameters !== undefined) await this.#admit(call, subresource, draft, parameters.raw, context);
    const { status, object } = await handle({
      verb: info.verb as Verb,
      namespace: info.namespace,
      name: info.name,
      body: draft,
      query: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, first(value)])),
      context,
    });
    return { type: 'object', status, object };
  }

  /** What a handler is given passes admission as it is; what the handler then does with it does not. */
  async #admit(
    { definition, info }: Call,
    { kind, name: subresource }: SubresourceDefinition,
    draft: Draft | undefined,
    options: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<void> {
    const { namespace, name } = info;
    const operation = info.verb === 'create' ? ('CREATE' as const) : ('UPDATE' as const);
    const place = { operation, definition, subresource, kind, namespace, name };
    const request = { ...place, object: draft, oldObject: undefined, options, context };
    await this.#options.runtime.admission.mutate(request);
    await this.#options.runtime.admission.validate(request);
  }

  #readDraft(
    { request, definition, audit }: Call,
    { fieldValidation }: WriteParameters,
    context: RequestContext,
  ): Draft {
    const body = readBody(request, definition.isCustom);
    if (body === undefined) throw newBadRequest('unable to decode: the body of the request is empty');
    const decoded = definition.decode(checkKind(definition, body.value));
    reportProblems([...body.problems, ...decoded.problems], fieldValidation, definition, context);
    definition.strategy.setDefaults?.(decoded.draft);
    audit?.requestObject(decoded.draft);
    return decoded.draft;
  }

  #authorize(request: ServerRequest, info: RequestInfo, audit: RequestAudit | undefined): void {
    const { user } = request;
    const { verb, group, version, resource, subresource, namespace, name, path, isResourceRequest } = info;
    const decision = this.#options.authorizer.authorize({
      user,
      verb,
      isResourceRequest,
      group,
      version,
      resource,
      subresource,
      namespace,
      name,
      path,
    });
    audit?.authorized(decision);
    if (decision.isAllowed) return;
    if (!isResourceRequest) throw newAccessDenied({ user: user.name, verb, path }, decision.reason);
    throw newAccessDenied(
      { user: user.name, verb, group, resource, subresource, namespace, name },
      decision.reason,
    );
  }

  #target(call: Call): Target {
    const { definition, info } = call;
    if (definition.namespaced && info.namespace === '') throw notServed();
    return { definition, namespace: info.namespace, name: info.name, context: this.#context(call, false) };
  }

  #collection(call: Call): { definition: ResourceDefinition; namespace: string; context: RequestContext } {
    return {
      definition: call.definition,
      namespace: call.info.namespace,
      context: this.#context(call, false),
    };
  }

  #context({ request, warnings, audit }: Call, isDryRun: boolean, fieldManager?: string): RequestContext {
    const { clock, random, logger } = this.#options.runtime;
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

  #failure(thrown: unknown, request: ServerRequest, warnings: readonly string[]): ServerResponse {
    if (!(thrown instanceof StatusError)) {
      this.#options.logger.error('a request failed', {
        method: request.method,
        path: request.path,
        error: thrown,
      });
    }
    const status = toStatus(thrown);
    const retryAfter = status.details?.retryAfterSeconds;
    return {
      type: 'object',
      status: status.code ?? 500,
      object: status,
      headers: {
        ...(retryAfter !== undefined && retryAfter > 0 && { 'retry-after': String(retryAfter) }),
        ...(warnings.length > 0 && { warning: warningHeader(warnings) }),
      },
    };
  }
}

/** Where nothing is served at all, nobody speaks the API's language. */
const NO_PAGE: ServerResponse = Object.freeze({
  type: 'bytes',
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  body: '404 page not found\n',
});

interface Call {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly definition: ResourceDefinition;
  readonly warnings: string[];
  readonly audit: RequestAudit | undefined;
}

function objectResponse({ isCreated, ...served }: UpdateOutcome): ServerResponse {
  return { type: 'object', status: isCreated ? 201 : 200, ...served };
}

/** The path is there, but not for this method. */
function notAllowed(): StatusError {
  return new StatusError(
    failureStatus(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    ),
  );
}

function notServed(): StatusError {
  return new StatusError(
    failureStatus(404, 'NotFound', 'the server could not find the requested resource', {}),
  );
}

function checkName(draft: Draft, name: string): void {
  const given = (draft as Stored).metadata?.name ?? '';
  if (given === '')
    throw newBadRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== name)
    throw newBadRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}

/** As many as there were; a comma ends one and begins the next. */
function warningHeader(warnings: readonly string[]): string {
  return [...new Set(warnings)]
    .map((text) => `299 - ${JSON.stringify(text.replace(/[^\x20-\x7e]/g, ' '))}`)
    .join(', ');
}
