import { type ApiRequest, deepCopy, newBadRequest, newMethodNotSupported } from '@windlass/apimachinery';
import { checkKind, contentTypeOf, readPatch, requireBody } from '../request/body.ts';
import type { RequestContext } from '../request/context.ts';
import { parseWriteParameters, reportProblems, type WriteParameters } from '../request/write-options.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft } from '../resource/strategy.ts';
import { groupResource, type ServedObject, type Target } from '../resource/target.ts';
import { checkNamespace, createObject } from './create.ts';
import { leaveOutEmptyMaps } from './empty-maps.ts';
import { dedupeOwners } from './metadata.ts';
import { orderedProblems } from './ordered-problems.ts';
import { patchObject, patchTypeOf } from './patch.ts';
import type { WriteRuntime } from './runtime.ts';
import { type UpdateOutcome, updateObject } from './update.ts';

export type WriteVerb = 'create' | 'update' | 'patch';

/** A write as the client sent it: everything that decides what is stored. */
export interface WriteCall {
  readonly verb: WriteVerb;
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly name: string;
  /** Empty for the object itself, or `status`, or another part that is written through it. */
  readonly subresource: string;
  readonly request: Pick<ApiRequest, 'query' | 'headers' | 'body'>;
  readonly contextFor: (options: Pick<WriteParameters, 'isDryRun' | 'fieldManager'>) => RequestContext;
  /** Told of the object, or the patch, that was sent. Undefined when nobody wants to know. */
  readonly onRequestObject: ((value: unknown) => void) | undefined;
}

export interface WriteOutcome extends ServedObject {
  /** Of HTTP. */
  readonly status: number;
}

/** From the bytes of a body to the object that is stored, with everything between. */
export function performWrite(runtime: WriteRuntime, call: WriteCall): Promise<WriteOutcome> {
  switch (call.verb) {
    case 'create':
      return create(runtime, call);
    case 'update':
      return update(runtime, call);
    case 'patch':
      return patch(runtime, call);
    default:
      return call.verb satisfies never;
  }
}

async function create(runtime: WriteRuntime, call: WriteCall): Promise<WriteOutcome> {
  const { request, definition, namespace, name } = call;
  // The server of custom resources takes a name in the path.
  if (name !== '' && !definition.isCustom) throw newMethodNotSupported(groupResource(call), 'create');
  const parameters = parseWriteParameters(request.query ?? {}, 'CreateOptions');
  const context = call.contextFor(parameters);
  const draft = readDraft(call, parameters, context);
  checkNamespace(definition, draft, namespace);
  // Upstream does not compare the two. The caller was authorized for the name in the path, so no other is created.
  if (name !== '') checkName(draft, name);
  if (definition.review !== undefined)
    // What is answered is no object of the store.
    return { status: 201, object: (await definition.review(draft, context)) as Draft };
  const options = parameters.raw;
  const created = await createObject(runtime, { definition, namespace, draft, options, context });
  return { status: 201, ...created };
}

async function update(runtime: WriteRuntime, call: WriteCall): Promise<WriteOutcome> {
  const { request, definition, namespace, name, subresource } = call;
  const parameters = parseWriteParameters(request.query ?? {}, 'UpdateOptions');
  const context = call.contextFor(parameters);
  const draft = readDraft(call, parameters, context);
  checkNamespace(definition, draft, namespace);
  checkName(draft, name);
  dedupeOwners(draft, context, false);
  const target: Target = { definition, namespace, name, context };
  const outcome = await updateObject(runtime, {
    target,
    subresource,
    options: parameters.raw,
    expectedUid: draft.metadata?.uid,
    change: (live) => {
      // Each attempt begins from what the client sent: the one before may have changed its draft.
      const fresh = deepCopy<Draft>(draft);
      leaveOutEmptyMaps(definition, fresh, live);
      const { object, problem } = runtime
        .fieldManager(definition, subresource)
        .update<Draft>({ live, updated: fresh, manager: context.fieldManager });
      if (problem !== undefined) context.logger.warn('managed fields could not be kept', { error: problem });
      return object;
    },
  });
  return withStatus(outcome);
}

async function patch(runtime: WriteRuntime, call: WriteCall): Promise<WriteOutcome> {
  const { request, definition, namespace, name, subresource } = call;
  const type = patchTypeOf(definition, contentTypeOf(request));
  const parameters = parseWriteParameters(request.query ?? {}, 'PatchOptions', type === 'apply');
  const context = call.contextFor(parameters);
  const body = readPatch(request, type, definition.isCustom);
  call.onRequestObject?.(body.value);
  const target: Target = { definition, namespace, name, context };
  // Only an apply is read before it is merged.
  if (type === 'apply') reportProblems(body.problems, parameters.fieldValidation, definition, context);
  const outcome = await patchObject(runtime, {
    target,
    subresource,
    type,
    patch: body.value,
    force: parameters.force,
    options: parameters.raw,
    problems: type === 'apply' ? [] : body.problems,
    onProblems: (problems) => reportProblems(problems, parameters.fieldValidation, definition, context),
  });
  return withStatus(outcome);
}

function readDraft(
  { request, definition, onRequestObject }: WriteCall,
  { fieldValidation }: WriteParameters,
  context: RequestContext,
): Draft {
  const body = requireBody(request, definition);
  const isLenient = fieldValidation === 'Ignore';
  const decoded = definition.decode(checkKind(definition, body.value, { isLenient, bytes: body.bytes }));
  const problems = orderedProblems(definition, body, decoded.problems, contentTypeOf(request));
  reportProblems(problems, fieldValidation, definition, context);
  definition.strategy.setDefaults?.(decoded.draft);
  onRequestObject?.(decoded.draft);
  return decoded.draft;
}

function withStatus({ isCreated, ...served }: UpdateOutcome): WriteOutcome {
  return { status: isCreated ? 201 : 200, ...served };
}

function checkName({ metadata }: Draft, name: string): void {
  const given = metadata?.name ?? '';
  if (given === '')
    throw newBadRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  if (given !== name)
    throw newBadRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
}
