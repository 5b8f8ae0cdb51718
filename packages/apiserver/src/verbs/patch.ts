import {
  ApplyError,
  apiVersionOf,
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  failureStatus,
  JsonPatchError,
  newBadRequest,
  newConflict,
  newRequestEntityTooLarge,
  newUnsupportedMediaType,
  StatusError,
  StrategicMergeError,
} from '@windlass/apimachinery';
import { isRecord, toError } from '@windlass/base';
import type { Decoded, ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';
import { groupResource, type Target } from '../resource/target.ts';
import { setDefaults } from './defaults.ts';
import { leaveOutEmptyMaps } from './empty-maps.ts';
import { dedupeOwners } from './metadata.ts';
import { patchInvalid } from './patch-invalid.ts';
import type { WriteRuntime } from './runtime.ts';
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
  /** Fields that are doubled in the patch itself. */
  readonly problems: readonly string[];
  readonly onProblems: (problems: readonly string[]) => void;
}

export function patchTypesOf(definition: Pick<ResourceDefinition, 'isCustom'>): string[] {
  const types: string[] = [PATCH_TYPES.json, PATCH_TYPES.merge, PATCH_TYPES.apply];
  if (!definition.isCustom) types.splice(2, 0, PATCH_TYPES.strategic);
  return types;
}

export function patchTypeOf(definition: ResourceDefinition, contentType: string): PatchType {
  const media = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  for (const [type, name] of Object.entries(PATCH_TYPES)) {
    if (name !== media || (definition.isCustom && type === 'strategic')) continue;
    return type as PatchType; // which is what the keys of PATCH_TYPES are called
  }
  throw newUnsupportedMediaType(patchTypesOf(definition));
}

export function patchObject(runtime: WriteRuntime, request: PatchRequest): Promise<UpdateOutcome> {
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

function patched(runtime: WriteRuntime, request: PatchRequest, live: Stored | undefined): Draft {
  const { target, subresource } = request;
  const { definition, context } = target;
  if (live === undefined) throw new TypeError('only an apply creates what is not there');
  const result = decode(request, applyPatch(request, live), live);
  leaveOutEmptyMaps(definition, result, live);
  checkIdentity(target, result);
  dedupeOwners(result, context, false);
  const { object, problem } = runtime
    .fieldManager(definition, subresource)
    .update<Draft>({ live, updated: result, manager: context.fieldManager });
  if (problem !== undefined) context.logger.warn('managed fields could not be kept', { error: problem });
  // The rest of the request writes into it.
  if (object.metadata === live.metadata) object.metadata = { ...object.metadata };
  return object;
}

function applied(runtime: WriteRuntime, request: PatchRequest, live: Stored | undefined): Draft {
  const { target, subresource, patch, force } = request;
  const { definition, context } = target;
  checkConfiguration(target, patch);
  try {
    const merged = runtime.fieldManager(definition, subresource).apply<Readonly<Record<string, unknown>>>({
      live,
      applied: patch,
      manager: context.fieldManager,
      force,
    });
    const draft = decodeApplied(request, merged, patch);
    leaveOutEmptyMaps(definition, draft, live);
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
function decodeApplied(
  request: PatchRequest,
  merged: Readonly<Record<string, unknown>>,
  patch: Record<string, unknown>,
): Draft {
  const { definition, name } = request.target;
  const { group, version, kind } = definition;
  let decoded: Decoded;
  try {
    decoded = definition.decode(merged);
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

function decode(request: PatchRequest, result: unknown, live: Stored): Draft {
  const { target, subresource, onProblems, type, patch } = request;
  const { definition } = target;
  const patched = { type, patch, isCustom: definition.isCustom };
  if (!isRecord(result)) throw newBadRequest('the patch does not give an object');
  let decoded: Decoded;
  try {
    decoded = definition.decode(result, subresource === 'status' ? allButStatus(live) : undefined);
    onProblems([...request.problems, ...decoded.problems.toSorted()]);
  } catch (error) {
    throw patchInvalid(patched, result, error);
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

function applyPatch({ type, patch, target }: PatchRequest, live: Stored): unknown {
  const { schema, schemas } = target.definition;
  try {
    if (type === 'json') return applyJsonPatch<unknown>(live, patch);
    if (!isRecord(patch)) throw newBadRequest(noMap(type, patch));
    if (type === 'merge') return applyMergePatch<unknown>(live, patch);
    return applyStrategicMergePatch<unknown>(live, patch, { schema, source: schemas });
  } catch (error) {
    if (error instanceof JsonPatchError) throw jsonPatchStatus(error, patch);
    if (error instanceof StrategicMergeError) throw strategicStatus(error);
    throw error;
  }
}

/** Upstream's decoder says what it found, not what it wanted. */
function malformed(patch: unknown, wanted: string): string {
  const type = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
  return `json: cannot unmarshal ${type} into Go value of type ${wanted}`;
}

function noMap(type: PatchType, patch: unknown): string {
  return `${type === 'merge' ? 'error decoding patch: ' : ''}${malformed(patch, 'map[string]interface {}')}`;
}

/** An item that cannot be told from others is, to upstream, its own fault. */
function strategicStatus(error: StrategicMergeError): StatusError {
  return error.message.includes('does not contain declared merge key')
    ? new StatusError(failureStatus(500, '', error.message), error)
    : newBadRequest(error.message);
}

function jsonPatchStatus(error: JsonPatchError, patch: unknown): StatusError {
  if (error.failure === 'malformed')
    return newBadRequest(`error decoding patch: ${malformed(patch, '[]handlers.jsonPatchOp')}`);
  if (error.failure === 'too-many-operations') return newRequestEntityTooLarge(error.message);
  const status = failureStatus(
    422,
    'Invalid',
    'the server rejected our request due to an error in our request',
    {},
  );
  return new StatusError(status, error);
}
