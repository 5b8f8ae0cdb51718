import { type DeepReadonly, selectorFromObject } from '@windlass/apimachinery';
import type { ParamKind, ParamRef } from '@windlass/apimachinery/api/admissionregistration/v1';
import type { Catalog } from '../../resource/catalog.ts';
import { type ResourceDefinition, storageKey, storagePrefix } from '../../resource/definition.ts';
import type { Stored } from '../../resource/strategy.ts';
import { fromStorage } from '../../resource/target.ts';
import type { Store } from '../../storage/store.ts';

/** A policy or a binding cannot be put to use as it is. */
export class ConfigurationError extends Error {}

/** @throws ConfigurationError when nothing of that kind is served */
export function paramDefinition(
  kind: DeepReadonly<ParamKind> | undefined,
  catalog: Catalog,
): ResourceDefinition | undefined {
  if (kind === undefined) return undefined;
  const [version = '', group = ''] = (kind.apiVersion ?? '').split('/').toReversed();
  const found = catalog.findKind(group, version, kind.kind ?? '');
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `failed to find resource referenced by paramKind: '${group}/${version}, Kind=${kind.kind ?? ''}'`,
  );
}

/**
 * The objects that a binding hands to its policy, which is evaluated once for each. One `undefined` when
 * there is nothing to hand over; none at all when nothing was found and that is allowed.
 * @throws ConfigurationError
 */
export async function collectParams(
  definition: ResourceDefinition | undefined,
  ref: DeepReadonly<ParamRef> | undefined,
  requestNamespace: string,
  store: Store,
): Promise<readonly (Stored | undefined)[]> {
  if (definition === undefined || ref === undefined) return [undefined];
  const { name = '', namespace = '', selector, parameterNotFoundAction } = ref;
  if (!definition.namespaced && namespace !== '')
    throw new ConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const home = definition.namespaced ? namespace || requestNamespace : '';
  if (definition.namespaced && home === '')
    throw new ConfigurationError(
      'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources',
    );
  const params: Stored[] = [];
  if (name !== '') {
    const found = await store.get(storageKey(definition, home, name));
    if (found !== undefined) params.push(await fromStorage(definition, found));
  } else if (selector === undefined) throw new ConfigurationError('one of name or selector must be provided');
  else {
    const matcher = selectorFromObject(selector);
    const prefix = storagePrefix(definition);
    const { items } = await store.list(definition.namespaced ? `${prefix}${home}/` : prefix);
    for (const item of items)
      if (matcher.matches(item.object.metadata?.labels)) params.push(await fromStorage(definition, item));
  }
  if (params.length === 0 && parameterNotFoundAction === 'Deny')
    throw new ConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return params;
}
