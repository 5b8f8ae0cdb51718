import {
  ApplyError,
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  FieldPath,
  failureStatus,
  fieldInvalid,
  JsonPatchError,
  newBadRequest,
  newConflict,
  newInvalid,
  newRequestEntityTooLarge,
  newUnsupportedMediaType,
  StatusError,
  StrategicMergeError,
} from '@windlass/apimachinery';
import { toError } from '@windlass/base';
import type { Decoded, ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { setDefaults } from './defaults.ts';
import { dedupeOwners } from './metadata.ts';
import type { VerbRuntime } from './runtime.ts';
import { groupResource, type Target } from './target.ts';
import { type UpdateOutcome, updateObject } from './update.ts';

export const PATCH_TYPES = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
} as const;

export type PatchType = keyof typeof PATCH_TYPES;

export interface PatchRequest {
  readonly target: Target;
  readonly subresource: string;
  readonly type: PatchType;
  /** The decoded body. */
  readonly patch: unknown;
  readonly force: boolean;
  readonly options: Readonly<Record<string, unknown>>;
  /** What to do with unknown and doubled fields of the result. */
  readonly onProblems: (problems: readonly string[]) => void;
}

export function patchTypesOf(definition: ResourceDefinition): string[] {
  const types: string[] = [PATCH_TYPES.json, PATCH_TYPES.merge, PATCH_TYPES.apply];
  if (!definition.isCustom) types.splice(2, 0, PATCH_TYPES.strategic);
  return types;
}

export function patchTypeOf(definition: ResourceDefinition, contentType: string): PatchType {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  for (const [type, name] of Object.entries(PATCH_TYPES)) {
    if (name === media && !(definition.isCustom && type === 'strategic')) return type as PatchType;
  }
  throw newUnsupportedMediaType(patchTypesOf(definition));
}

export function patchObject(runtime: VerbRuntime, request: PatchRequest): Promise<UpdateOutcome> {
  const { target, subresource, type, options } = request;
  return updateObject(runtime, {
    target,
    subresource,
    options,
    createsMissing: type === 'apply',
    expectedUid: undefined,
    change: (live) => (type === 'apply' ? applied(runtime, request, live) : patched(runtime, request, live)),
  });
}

function patched(runtime: VerbRuntime, request: PatchRequest, live: Stored | undefined): Draft {
  const { target, subresource } = request;
  const { definition, context } = target;
  if (live === undefined) throw new TypeError('only an apply creates what is not there');
  const result = decode(request, applyPatch(request, live), live);
  checkIdentity(target, result);
  dedupeOwners(result, context, false);
  const { object, problem } = runtime
    .fieldManager(definition, subresource)
    .update<Draft>({ live: live as Draft, updated: result, manager: context.fieldManager });
  if (problem !== undefined) context.logger.warn('managed fields could not be kept', { error: problem });
  // The rest of the request writes into it.
  if (object.metadata === live.metadata) object.metadata = { ...object.metadata };
  return object;
}

function applied(runtime: VerbRuntime, request: PatchRequest, live: Stored | undefined): Draft {
  const { target, subresource, patch, force } = request;
  const { definition, context } = target;
  checkConfiguration(target, patch);
  try {
    const merged = runtime
      .fieldManager(definition, subresource)
      .apply<object>({ live, applied: patch, manager: context.fieldManager, force });
    const draft = decodeApplied(request, merged, patch);
    const uid = draft.metadata?.uid ?? '';
    if (live === undefined && uid !== '')
      throw newConflict(
        groupResource(target),
        target.name,
        `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`,
      );
    if (live === undefined) {
      draft.metadata ??= {};
      draft.metadata.name = target.name;
      if (definition.namespaced) draft.metadata.namespace = target.namespace;
    }
    return draft;
  } catch (error) {
    // Upstream has no reason for it, and calls it its own fault.
    if (error instanceof ApplyError) throw new StatusError(failureStatus(500, '', error.message), error);
    throw error;
  }
}

/** What was merged and cannot be read is, to upstream, its own fault; it tells what it tried. */
function decodeApplied(request: PatchRequest, merged: object, patch: Record<string, unknown>): Draft {
  const { definition, name } = request.target;
  const { group, version, kind } = definition;
  let decoded: Decoded;
  try {
    decoded = definition.decode(merged as Record<string, unknown>);
  } catch (error) {
    const namespace = isRecord(patch['metadata']) ? patch['metadata']['namespace'] : undefined;
    const type = `${group}/${version}, Kind=${kind}`;
    const why = toError(error).message.replace(/^.* cannot be handled as a \S+: /, '');
    const message = `failed to convert new object (${typeof namespace === 'string' ? namespace : ''}/${name}; ${type}) to proper version: unable to convert unstructured object to ${type}: ${why}`;
    throw new StatusError(failureStatus(500, '', message));
  }
  request.onProblems(decoded.problems);
  definition.strategy.setDefaults?.(decoded.draft);
  return decoded.draft;
}

/** A patch may say anything, but not of another object. */
function checkIdentity({ definition, name, namespace }: Target, { metadata }: Draft): void {
  const given = metadata?.name ?? '';
  if (given !== name)
    throw newBadRequest(`the name of the object (${given}) does not match the name on the URL (${name})`);
  if (definition.namespaced && metadata?.namespace !== namespace)
    throw newBadRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
}

function checkConfiguration(
  { definition, name }: Target,
  patch: unknown,
): asserts patch is Record<string, unknown> {
  if (!isRecord(patch)) throw newBadRequest('error decoding YAML: the apply patch must be an object');
  const expected = apiVersionOf(definition);
  const given = patch['apiVersion'];
  if (given !== expected) {
    throw newBadRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${typeof given === 'string' ? given : ''}, expected: ${expected}`,
    );
  }
  const named = isRecord(patch['metadata']) ? patch['metadata']['name'] : undefined;
  if (typeof named === 'string' && named !== '' && named !== name) {
    throw newBadRequest(`the name of the object (${named}) does not match the name on the URL (${name})`);
  }
}

function decode({ target, subresource, onProblems }: PatchRequest, result: unknown, live: Stored): Draft {
  const { definition } = target;
  if (!isRecord(result)) throw newBadRequest('the patch does not give an object');
  let decoded: Decoded;
  try {
    decoded = definition.decode(result, subresource === 'status' ? allButStatus(live) : undefined);
  } catch (error) {
    throw patchInvalid(target, error);
  }
  try {
    onProblems(decoded.problems);
  } catch (error) {
    throw patchInvalid(target, error);
  }
  setDefaults(definition, decoded.draft, live);
  return decoded.draft;
}

/**
 * What a patch of the status leaves alone, and could not change anyway. Not looking at a pod's spec again
 * makes such a patch twice as fast: `npm run bench -- controllers/embedded`.
 */
function allButStatus(live: Stored): Readonly<Record<string, unknown>> {
  const { status: _, ...rest } = live;
  return rest;
}

/** What a patch makes wrong is a matter of the patch, not of the request's form. */
function patchInvalid({ name }: Target, error: unknown): StatusError {
  const invalid = fieldInvalid(FieldPath.of('patch'), JSON.stringify(name), toError(error).message);
  return newInvalid({ group: '', kind: '' }, '', [invalid]);
}

function applyPatch({ type, patch, target }: PatchRequest, live: Stored): unknown {
  const { schema, schemas } = target.definition;
  try {
    if (type === 'json') return applyJsonPatch<unknown>(live, patch);
    if (type === 'merge') return applyMergePatch<unknown>(live, patch);
    return applyStrategicMergePatch<unknown>(live, patch, { schema, source: schemas });
  } catch (error) {
    if (error instanceof JsonPatchError) throw jsonPatchStatus(error, patch);
    if (error instanceof StrategicMergeError) throw strategicStatus(error);
    throw error;
  }
}

/** Upstream's decoder says what it found, not what it wanted. */
function malformed(patch: unknown): string {
  const type = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
  return `json: cannot unmarshal ${type} into Go value of type []handlers.jsonPatchOp`;
}

/** An item that cannot be told from others is, to upstream, its own fault. */
function strategicStatus(error: StrategicMergeError): StatusError {
  return error.message.includes('does not contain declared merge key')
    ? new StatusError(failureStatus(500, '', error.message), error)
    : newBadRequest(error.message);
}

function jsonPatchStatus(error: JsonPatchError, patch: unknown): StatusError {
  if (error.failure === 'malformed') return newBadRequest(`error decoding patch: ${malformed(patch)}`);
  if (error.failure === 'too-many-operations') return newRequestEntityTooLarge(error.message);
  const status = failureStatus(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
  return new StatusError(status, error);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
