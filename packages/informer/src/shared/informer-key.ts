import {
  type KubeObject,
  parseLabelSelector,
  type ResourceType,
  ShardSelector,
} from '@windlass/apimachinery';
import { InvalidArgumentError } from '@windlass/base';
import type { KindQuery, PluralQuery, SelectorOptions, ShardOptions } from '@windlass/client';

/** A kind of the generated modules, or one that is named at run time. */
export type InformerTarget = ResourceType<KubeObject> | KindQuery | PluralQuery;

/** Full objects, or nothing but their metadata. */
export type InformerForm = 'full' | 'metadata';

/** Which objects of a kind an informer watches. */
export interface InformerScope extends SelectorOptions, ShardOptions {
  /** @default all namespaces */
  readonly namespace?: string;
}

/** What makes two requests for an informer the same. Selectors are in their canonical form. */
export interface InformerIdentity {
  readonly key: string;
  /** For people: `deployments.apps in default, app=web`. */
  readonly name: string;
}

/** Gives the same resource the same key by whichever of its names it is asked for. */
export class ResourceNames {
  readonly #keys = new Map<string, string>();

  keyOf(target: InformerTarget): string {
    const names = namesOf(target);
    const known = names.map((name) => this.#keys.get(name)).find((key) => key !== undefined);
    const key = known ?? names[0] ?? '';
    for (const name of names) this.#keys.set(name, key);
    return key;
  }
}

/** A typed resource has both names, so it also joins what was asked for by one of them. */
function namesOf(target: InformerTarget): string[] {
  const groupVersion = `${target.group}/${target.version ?? '*'}`;
  const names: string[] = [];
  if ('plural' in target) names.push(`${groupVersion}/${target.plural}`);
  if ('kind' in target) names.push(`${groupVersion}/${target.kind}`);
  if (names.length === 0) throw new InvalidArgumentError('type', target, 'an object with a kind or a plural');
  return names;
}

export function identityOf(
  names: ResourceNames,
  target: InformerTarget,
  { namespace, labelSelector, fieldSelector, shardSelector }: InformerScope,
  form: InformerForm,
): InformerIdentity {
  const labels = typeof labelSelector === 'string' ? parseLabelSelector(labelSelector) : labelSelector;
  const selector = labels?.toString() ?? '';
  const fields = fieldSelector ?? '';
  const shard = shardOf(shardSelector)?.toString() ?? '';
  return {
    key: JSON.stringify([names.keyOf(target), namespace ?? '', selector, fields, shard, form]),
    name: [
      `${resourceName(target)}${namespace === undefined ? '' : ` in ${namespace}`}`,
      ...(selector === '' ? [] : [selector]),
      ...(fields === '' ? [] : [fields]),
      ...(shard === '' ? [] : [shard]),
      ...(form === 'metadata' ? ['metadata only'] : []),
    ].join(', '),
  };
}

/** A shard that was given as a text, read. */
export function shardOf(selector: string | ShardSelector | undefined): ShardSelector | undefined {
  return typeof selector === 'string' ? ShardSelector.parse(selector) : selector;
}

/** `deployments.apps`; by its kind where the plural is not known. */
function resourceName(target: InformerTarget): string {
  const name = 'plural' in target ? target.plural : target.kind;
  return target.group === '' ? name : `${name}.${target.group}`;
}
