import type { ServerResponse } from '../exchange/exchange.ts';
import { checkKind, contentTypeOf, readBody, readPatch } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { first } from '../request/list-options.ts';
import { parseWriteParameters } from '../request/write-options.ts';
import type { SubresourceDefinition, Verb } from '../resource/definition.ts';
import type { Draft } from '../resource/strategy.ts';
import { checkNamespace } from '../verbs/create.ts';
import { patchTypeOf } from '../verbs/patch.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { patchScale, readScale, writeScale } from '../verbs/scale.ts';
import { contextOf, type ResourceCall, targetOf } from './call.ts';
import { notServed } from './check-served.ts';
import { type ServeOptions, serveResource, serveWrite } from './serve-resource.ts';

type Form<T extends SubresourceDefinition['form']['type']> = Extract<
  SubresourceDefinition['form'],
  { type: T }
>;

/** What is read and written under the name of an object besides the object itself. */
export async function serveSubresource(call: ResourceCall, options: ServeOptions): Promise<ServerResponse> {
  const { definition, info } = call;
  const subresource = definition.subresources.get(info.subresource);
  if (subresource === undefined) throw notServed();
  const { form } = subresource;
  switch (form.type) {
    case 'status':
    case 'part':
      if (info.verb === 'get') return serveResource(call, options);
      return serveWrite(call, info.verb === 'update' ? 'update' : 'patch', info.subresource, options);
    case 'scale':
      return serveScale(call, form, options.runtime);
    case 'custom':
      return serveCustom(call, subresource, form, options.runtime);
    case 'connect':
      throw new TypeError(`${definition.plural}/${info.subresource} is handed on before its body is read`);
    default:
      return form satisfies never;
  }
}

async function serveScale(
  call: ResourceCall,
  form: Form<'scale'>,
  runtime: VerbRuntime,
): Promise<ServerResponse> {
  const { request, info, audit } = call;
  const answer = (object: unknown): ServerResponse => ({ type: 'object', status: 200, object });
  if (info.verb === 'get') return answer(await readScale(runtime, targetOf(call, runtime), form));
  const isPatch = info.verb === 'patch';
  const type = isPatch ? patchTypeOf(call.definition, contentTypeOf(request)) : undefined;
  const parameters = parseWriteParameters(
    request.query ?? {},
    isPatch ? 'PatchOptions' : 'UpdateOptions',
    type === 'apply',
  );
  const target = targetOf(call, runtime, parameters);
  const { raw: options, force } = parameters;
  const body = type === undefined ? readBody(request, false) : readPatch(request, type, false);
  audit?.requestObject(body?.value);
  return answer(
    type === undefined
      ? await writeScale(runtime, target, form, body?.value, options)
      : await patchScale(runtime, target, form, { type, patch: body?.value, force, options }),
  );
}

async function serveCustom(
  call: ResourceCall,
  subresource: SubresourceDefinition,
  { handle }: Form<'custom'>,
  runtime: VerbRuntime,
): Promise<ServerResponse> {
  const { request, info, definition, audit } = call;
  const { query = {} } = request;
  const { namespace, name } = info;
  // The path was checked: a subresource has only verbs of the API.
  const verb = info.verb as Verb;
  const body = readBody(request, false);
  if (body !== undefined) audit?.requestObject(body.value);
  const parameters =
    verb === 'get'
      ? undefined
      : parseWriteParameters(query, verb === 'create' ? 'CreateOptions' : 'UpdateOptions');
  const context = contextOf(call, runtime, parameters ?? { isDryRun: false });
  const draft: Draft | undefined =
    body === undefined ? undefined : structuredClone(checkKind(subresource.kind, body.value));
  if (draft !== undefined) checkNamespace(definition, draft, namespace);
  if (parameters !== undefined)
    await admit(call, subresource, { draft, options: parameters.raw, context }, runtime);
  const { status, object } = await handle({
    verb,
    namespace,
    name,
    body: draft,
    query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, first(value)])),
    context,
  });
  return { type: 'object', status, object };
}

interface Handled {
  readonly draft: Draft | undefined;
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
}

/** What a handler is given passes admission as it is; what the handler then does with it does not. */
async function admit(
  { definition, info }: ResourceCall,
  { kind, name: subresource }: SubresourceDefinition,
  { draft, options, context }: Handled,
  { admission }: VerbRuntime,
): Promise<void> {
  const { namespace, name } = info;
  const operation = info.verb === 'create' ? ('CREATE' as const) : ('UPDATE' as const);
  const place = { operation, definition, subresource, kind, namespace, name };
  const request = { ...place, object: draft, oldObject: undefined, options, context };
  await admission.mutate(request);
  await admission.validate(request);
}
