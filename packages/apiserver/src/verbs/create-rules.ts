// What a new object gets and must be, without a store: the same for a server and for who only wants to know what it
// would say.
import { deepCopy, newInvalid } from '@windlass/apimachinery';
import type { RequestContext } from '../request/context.ts';
import type { ResourceDefinition } from '../resource/definition.ts';
import type { Draft } from '../resource/strategy.ts';
import { groupKind, type Target } from '../resource/target.ts';
import { fillSystemFields, metadataOf, validateNewMetadata } from './metadata.ts';

/** What the server alone sets, and no status. */
export function fillNew(definition: ResourceDefinition, draft: Draft, context: RequestContext): void {
  const { strategy } = definition;
  fillSystemFields(draft, context);
  // Where nobody counts, whatever the client says stays.
  if ((strategy.generation ?? 'none') !== 'none') metadataOf(draft).generation = 1;
  if (definition.subresources.has('status') && strategy.keepsStatusOnCreate !== true)
    clearStatus(definition, draft);
}

const EMPTY_STATUS = new WeakMap<ResourceDefinition, { readonly status: unknown }>();

/** As nobody has reported anything yet: built-in kinds then show an empty status, custom ones none. */
function clearStatus(definition: ResourceDefinition, draft: Draft): void {
  let empty = EMPTY_STATUS.get(definition);
  if (empty === undefined) {
    empty = { status: definition.isCustom ? undefined : definition.decode({}).draft['status'] };
    EMPTY_STATUS.set(definition, empty);
  }
  if (empty.status === undefined) delete draft['status'];
  else draft['status'] = deepCopy(empty.status);
}

/** @throws StatusError with everything that is wrong */
export function validateNew(target: Target, draft: Draft): void {
  const { definition, name, context } = target;
  const { strategy } = definition;
  const others = strategy.validate?.(draft, context) ?? [];
  const isMetadataTold = others.length === 0 || strategy.validatesMetadataLast !== true;
  const errors = [...(isMetadataTold ? validateNewMetadata(definition, draft) : []), ...others];
  if (errors.length > 0) throw newInvalid(groupKind(target), name, errors);
  for (const warning of strategy.warnings?.(draft, undefined) ?? []) context.warn(warning);
}
