// What an update may change, without a store: the same for a server and for who only wants to know what it would say.
import { type DeepReadonly, newInvalid, type ObjectMeta } from '@windlass/apimachinery';
import type { Draft, Stored } from '../resource/strategy.ts';
import { groupKind, type Target } from '../resource/target.ts';
import { hasNewGeneration, metadataOf, validateChangedMetadata } from './metadata.ts';

/** What the client left out, or may not touch, stays as it is. */
export function keepSystemFields(draft: Draft, live: Stored): void {
  const metadata = metadataOf(draft);
  const old = live.metadata ?? {};
  if (metadata.uid === undefined || metadata.uid === '') keep(metadata, old, 'uid');
  keep(metadata, old, 'creationTimestamp');
  keep(metadata, old, 'generation');
  // A client that sets them where they are not is told so.
  if (old.deletionTimestamp !== undefined) keep(metadata, old, 'deletionTimestamp');
  if (old.deletionGracePeriodSeconds !== undefined) keep(metadata, old, 'deletionGracePeriodSeconds');
  delete metadata.selfLink;
}

type Kept = 'uid' | 'creationTimestamp' | 'generation' | 'deletionTimestamp' | 'deletionGracePeriodSeconds';

function keep(metadata: ObjectMeta, old: DeepReadonly<ObjectMeta>, field: Kept): void {
  if (old[field] === undefined) delete metadata[field];
  else Object.assign(metadata, { [field]: old[field] });
}

/** Restores what this way of writing does not write, and counts the generation. */
export function prepareUpdate(target: Target, subresource: string, draft: Draft, live: Stored): void {
  const { definition, context } = target;
  const { strategy } = definition;
  if (subresource === 'status') {
    keepAllButStatus(definition.isCustom, draft, live);
    strategy.prepareForStatusUpdate?.(draft, live, context);
    return;
  }
  const part = strategy.parts?.[subresource];
  if (part !== undefined) {
    part.prepare(draft, live, context);
    if (part.keepsGeneration !== true && hasNewGeneration(definition, draft, live))
      metadataOf(draft).generation = (live.metadata?.generation ?? 0) + 1;
    return;
  }
  if (definition.subresources.has('status')) {
    if (live['status'] === undefined) delete draft['status'];
    else draft['status'] = live['status'];
  }
  strategy.prepareForUpdate?.(draft, live, context);
  if (hasNewGeneration(definition, draft, live))
    metadataOf(draft).generation = (live.metadata?.generation ?? 0) + 1;
}

function keepAllButStatus(isCustom: boolean, draft: Draft, live: Stored): void {
  for (const field of Object.keys(draft)) {
    if (field !== 'status' && field !== 'metadata' && !(field in live)) delete draft[field];
  }
  for (const [field, value] of Object.entries(live))
    if (field !== 'status' && field !== 'metadata') draft[field] = value;
  if (!isCustom || draft.metadata === undefined) return;
  const { managedFields } = draft.metadata;
  // The stored metadata is frozen; a shallow copy is enough, because only its own fields are set from here on.
  draft.metadata = { ...(live.metadata as typeof draft.metadata) };
  if (managedFields !== undefined) draft.metadata.managedFields = managedFields;
}

/** @throws StatusError with everything that is wrong */
export function validateUpdate(target: Target, subresource: string, draft: Draft, live: Stored): void {
  const { definition, name, context } = target;
  const { strategy } = definition;
  const part = strategy.parts?.[subresource];
  const errors = [
    ...validateChangedMetadata(definition, draft, live),
    ...(subresource === 'status' || part !== undefined
      ? ((part?.validate ?? strategy.validateStatusUpdate)?.(draft, live, context) ?? [])
      : [
          ...(strategy.validatesUpdatesWhole === true ? [] : (strategy.validate?.(draft, context) ?? [])),
          ...(strategy.validateUpdate?.(draft, live, context) ?? []),
        ]),
  ];
  if (errors.length > 0) throw newInvalid(groupKind(target), name, errors);
  for (const warning of strategy.warnings?.(draft, live) ?? []) context.warn(warning);
}
