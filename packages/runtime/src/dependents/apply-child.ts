import {
  type Cached,
  isConflict,
  isInternalError,
  isNotFound,
  isServerTimeout,
  isServiceUnavailable,
  isTimeout,
  isTooManyRequests,
  type KubeObject,
  keyOf,
  statusErrorIn,
} from '@windlass/apimachinery';
import type { EventRecorder } from '../events/recorder.ts';
import { asCached } from '../objects/as-cached.ts';
import type { KindClient } from '../objects/kind-client.ts';
import type { Applied } from './applied.ts';
import type { KindReadiness } from './child.ts';
import type { ChildReason, ChildState } from './conditions.ts';
import type { Declared } from './declaration.ts';
import { standingOf } from './marks.ts';
import { readinessOf } from './readiness.ts';

export interface ApplyContext {
  readonly parent: Cached<KubeObject>;
  readonly mark: string;
  readonly fieldManager: string;
  readonly force: boolean;
  readonly readiness: readonly KindReadiness[];
  readonly applied: Applied;
  readonly recorder: EventRecorder;
  readonly signal: AbortSignal;
  /** Throws when the parent is no longer what was read, so that nothing is made for what is not wanted. */
  readonly confirmParent: () => Promise<void>;
}

/**
 * Makes a child what is declared, if it is not. Throws for what passes by itself, such as a lost
 * connection; everything else is a state, with its error where trying again may help.
 */
export async function applyChild(
  declared: Declared,
  objects: KindClient<KubeObject>,
  context: ApplyContext,
): Promise<ChildState & { readonly error?: unknown }> {
  const { parent, mark, applied, signal } = context;
  const parentKey = keyOf(parent);
  let found = await objects.find(declared.key, { signal });
  // The cache may be behind; the server knows whether somebody else has taken the place.
  if (found === undefined) {
    await context.confirmParent();
    found = await findLive(declared, objects, signal);
  }
  const standing = standingOf(found, parent, mark, declared.byReference);
  if (standing.is === 'foreign') return { declared, reason: 'NotOwned', message: standing.message };
  if (standing.is === 'leaving')
    return {
      declared,
      reason: 'ChildNotReady',
      message: 'it is being deleted, and is made again then',
      object: standing.object,
    };
  if (standing.is === 'ours' && applied.isUpToDate(parentKey, declared, standing.object))
    return stateOf(declared, standing.object, context);
  const uid = standing.is === 'ours' ? standing.object.metadata.uid : undefined;
  try {
    const object = await send(declared, objects, uid, context);
    applied.applied(parentKey, declared, object);
    if (uid === undefined)
      context.recorder.normal(parent, 'Created', `created ${declared.title}`, { related: object });
    return stateOf(declared, object, context);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return { declared, ...refusal, ...(found !== undefined && { object: found }), error };
  }
}

async function send(
  { configuration }: Declared,
  objects: KindClient<KubeObject>,
  uid: string | undefined,
  { fieldManager, force, signal }: ApplyContext,
): Promise<Cached<KubeObject>> {
  // With the uid, the server refuses if the object that was read is gone: a stale cache makes no new one.
  const metadata = { ...configuration.metadata, ...(uid !== undefined && { uid }) };
  return asCached(await objects.apply({ ...configuration, metadata }, { fieldManager, force, signal }));
}

async function findLive(
  { key, configuration }: Declared,
  objects: KindClient<KubeObject>,
  signal: AbortSignal,
): Promise<Cached<KubeObject> | undefined> {
  const { namespace, name = key } = configuration.metadata ?? {};
  try {
    return asCached(await objects.live(namespace).get(name, { signal }));
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function stateOf(declared: Declared, object: Cached<KubeObject>, { readiness }: ApplyContext): ChildState {
  const { state, message } = readinessOf(declared.type, object, declared.child.ready, readiness);
  const reason: ChildReason =
    state === 'ready' ? 'Ready' : state === 'failed' ? 'ChildFailed' : 'ChildNotReady';
  return { declared, reason, message, object };
}

/** What a refusal means for the child; undefined for one that is not about it, and is simply tried again. */
export function refusalOf(error: unknown): Pick<ChildState, 'reason' | 'message'> | undefined {
  const refusal = statusErrorIn(error);
  if (refusal === undefined) return undefined;
  const conflicts = refusal.causes.filter(({ reason }) => reason === 'FieldManagerConflict');
  if (conflicts.length > 0)
    return {
      reason: 'FieldConflict',
      message: conflicts.map(({ field, message }) => `${field}: ${message}`).join('; '),
    };
  const passes = [
    isConflict,
    isTimeout,
    isServerTimeout,
    isTooManyRequests,
    isServiceUnavailable,
    isInternalError,
  ];
  if (refusal.statusCode >= 500 || passes.some((passesBy) => passesBy(error))) return undefined;
  return { reason: 'ApplyFailed', message: refusal.message };
}
