import {
  deepCopy,
  generateName,
  isAlreadyExists,
  newAlreadyExists,
  newBadRequest,
  newGenerateNameConflict,
  StatusError,
} from '@windlass/apimachinery';
import type { AdmissionRequest } from '../admission/admission.ts';
import { admittedOptions } from '../admission/admitted-options.ts';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft } from '../resource/strategy.ts';
import {
  groupResource,
  keyOfTarget,
  type ServedObject,
  served,
  type Target,
  toStorage,
} from '../resource/target.ts';
import { RevisionConflictError } from '../storage/errors.ts';
import { fillNew, validateNew } from './create-rules.ts';
import { leaveOutEmptyMaps } from './empty-maps.ts';
import { clearSystemFields, dedupeOwners, metadataOf } from './metadata.ts';
import type { WriteRuntime } from './runtime.ts';

export interface CreateRequest {
  readonly definition: ResourceDefinition;
  readonly namespace: string;
  readonly draft: Draft;
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: RequestContext;
  /** Set when the draft's managed fields are right already: an apply or a PUT that creates. */
  readonly isManaged?: boolean;
}

/** Generated names are short; so many are tried before the client is told. */
const MAX_NAMES = 8;

export async function createObject(runtime: WriteRuntime, request: CreateRequest): Promise<ServedObject> {
  const { definition, namespace, context, options } = request;
  const { strategy } = definition;
  const draft = request.isManaged === true ? request.draft : managed(runtime, request);
  const admission: AdmissionRequest = {
    operation: 'CREATE',
    definition,
    subresource: '',
    namespace,
    name: draft.metadata?.name ?? '',
    object: draft,
    oldObject: undefined,
    options: admittedOptions('CreateOptions', options),
    context,
  };
  await runtime.admission.mutate(admission);
  strategy.setDefaults?.(draft);
  dedupeOwners(draft, context, true);
  const metadata = metadataOf(draft);
  // Only a POST is without what the server alone sets elsewhere.
  if (request.isManaged !== true) clearSystemFields(draft);
  // Only a POST is refused for its version. Who only tries gets back what was sent.
  else if (!context.isDryRun) delete metadata.resourceVersion;
  fillNew(definition, draft, context);
  const base = metadata.name === undefined || metadata.name === '' ? (metadata.generateName ?? '') : '';
  if (base === '') return storeNew(runtime, targetOf(request, draft), draft, admission);
  // What is prepared may depend on the name, so each name begins anew.
  const pristine = deepCopy<Draft>(draft);
  for (let attempt = 1, named = draft; ; attempt++, named = deepCopy<Draft>(pristine)) {
    metadataOf(named).name = generateName(base, context.random);
    const target = targetOf(request, named);
    try {
      return await storeNew(runtime, target, named, { ...admission, name: target.name, object: named });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      if (attempt === MAX_NAMES) throw newGenerateNameConflict(groupResource(target), target.name, 1);
    }
  }
}

function targetOf({ definition, namespace, context }: CreateRequest, draft: Draft): Target {
  return { definition, namespace, name: draft.metadata?.name ?? '', context };
}

function managed(runtime: WriteRuntime, { definition, draft, context }: CreateRequest): Draft {
  dedupeOwners(draft, context, false);
  leaveOutEmptyMaps(definition, draft, undefined);
  // Nobody creates what is being deleted, nor owns it.
  delete draft.metadata?.deletionTimestamp;
  delete draft.metadata?.deletionGracePeriodSeconds;
  const { object, problem } = runtime
    .fieldManager(definition, '')
    .update<Draft>({ live: undefined, updated: draft, manager: context.fieldManager });
  if (problem !== undefined) context.logger.warn('managed fields could not be kept', { error: problem });
  return object;
}

async function storeNew(
  runtime: WriteRuntime,
  given: Target,
  draft: Draft,
  admission: AdmissionRequest,
): Promise<ServedObject> {
  const { definition, context } = given;
  definition.strategy.prepareForCreate?.(draft, context);
  const target: Target = { ...given, name: draft.metadata?.name ?? '' };
  const undo = await runtime.allocator.allocate(definition, draft, undefined, context.isDryRun);
  try {
    validateNew(target, draft);
    await runtime.admission.validate(admission);
    if (context.isDryRun) {
      await refuseExisting(runtime, target);
      undo();
      return { object: draft };
    }
    refuseVersion(draft);
    const stored = await runtime.store.put(keyOfTarget(target), await toStorage(definition, draft), 0);
    return await served(definition, stored);
  } catch (error) {
    undo();
    if (error instanceof RevisionConflictError)
      throw alreadyExists(target, error.current?.object.metadata?.deletionTimestamp);
    throw error;
  }
}

/** Only the store minds: who only tries gets back what was sent. */
function refuseVersion({ metadata }: Draft): void {
  const { resourceVersion: given = '' } = metadata ?? {};
  // Upstream minds only what it can read.
  if (!/^\d+$/.test(given) || BigInt(given) === 0n || BigInt(given) >= 2n ** 64n) return;
  throw new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'resourceVersion should not be set on objects to be created',
    code: 500,
  });
}

async function refuseExisting(runtime: WriteRuntime, target: Target): Promise<void> {
  const existing = await runtime.store.get(keyOfTarget(target));
  if (existing !== undefined) throw alreadyExists(target, existing.object.metadata?.deletionTimestamp);
}

function alreadyExists(target: Target, deletionTimestamp: string | undefined): StatusError {
  const error = newAlreadyExists(groupResource(target), target.name);
  if (deletionTimestamp === undefined) return error;
  return new StatusError({ ...error.status, message: `object is being deleted: ${error.message}` });
}

/** The body must be about the place that the URL names. */
export function checkNamespace(definition: ResourceDefinition, draft: Draft, namespace: string): void {
  if (!definition.namespaced) return;
  const metadata = metadataOf(draft);
  if (metadata.namespace === undefined || metadata.namespace === '') metadata.namespace = namespace;
  else if (metadata.namespace !== namespace) {
    throw newBadRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
}
