import {
  deepEqual,
  encodeJson,
  type FieldError,
  FieldPath,
  formatTime,
  type ObjectMeta,
  type OwnerReference,
  validateObjectMeta,
  validateObjectMetaUpdate,
  validateSubdomainName,
} from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft, Stored } from '../resource/strategy.ts';

/** A draft's metadata; made when it has none. */
export function metadataOf(draft: Draft): ObjectMeta {
  draft.metadata ??= {};
  return draft.metadata;
}

/** Nobody creates what is being deleted. */
export function clearSystemFields(draft: Draft): void {
  const metadata = metadataOf(draft);
  delete metadata.selfLink;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
}

/** What the server alone sets. */
export function fillSystemFields(draft: Draft, context: RequestContext): void {
  const metadata = metadataOf(draft);
  metadata.creationTimestamp = formatTime(context.clock.now());
  metadata.uid = context.random.uuid();
}

/** An owner that is named twice is one owner; the client is told. */
export function dedupeOwners(draft: Draft, context: RequestContext, afterAdmission: boolean): void {
  const owners = draft.metadata?.ownerReferences;
  if (owners === undefined || owners.length < 2) return;
  // By their text: each owner compared with each other would take minutes where there are many.
  const kept = new Map<string, OwnerReference>();
  const doubled: string[] = [];
  for (const owner of owners) {
    const text = encodeJson(owner, { stable: true });
    if (kept.has(text)) doubled.push(owner.uid);
    else kept.set(text, owner);
  }
  if (doubled.length === 0 || draft.metadata === undefined) return;
  draft.metadata.ownerReferences = [...kept.values()];
  const when = afterAdmission ? ' after mutating admission happens' : '';
  context.warn(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${doubled.join(', ')}`,
  );
}

export function validateNewMetadata(definition: ResourceDefinition, object: Stored): FieldError[] {
  return validateObjectMeta(object.metadata ?? {}, metadataRules(definition), FieldPath.of('metadata'));
}

export function validateChangedMetadata(
  definition: ResourceDefinition,
  object: Stored,
  old: Stored,
): FieldError[] {
  const path = FieldPath.of('metadata');
  return [
    ...validateObjectMeta(object.metadata ?? {}, metadataRules(definition), path),
    ...validateObjectMetaUpdate(object.metadata ?? {}, old.metadata ?? {}, path),
  ];
}

function metadataRules(definition: ResourceDefinition): Parameters<typeof validateObjectMeta>[1] {
  return {
    namespaced: definition.namespaced,
    validateName: definition.strategy.validateName ?? validateSubdomainName,
  };
}

/** Whether `metadata.generation` must grow. */
export function hasNewGeneration(definition: ResourceDefinition, object: Stored, old: Stored): boolean {
  const rule = definition.strategy.generation ?? 'none';
  if (rule === 'none') return false;
  if (typeof rule === 'function') return rule(object, old);
  if (rule === 'spec') return !deepEqual(object['spec'], old['spec']);
  const hasStatus = definition.subresources.has('status');
  const names = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const name of names) {
    if (name === 'metadata' || name === 'apiVersion' || name === 'kind' || (hasStatus && name === 'status'))
      continue;
    if (!deepEqual(object[name], old[name])) return true;
  }
  return false;
}
