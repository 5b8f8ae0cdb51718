import {
  type DeepReadonly,
  FieldSelector,
  goQuote,
  type KubeObject,
  newBadRequest,
  parseLabelSelector,
  type Selector,
  ShardSelector,
  selectEverything,
} from '@windlass/apimachinery';
import type { ListParameters } from '../request/list-options.ts';
import type { ResourceDefinition } from '../resource/definition.ts';

/** Which objects of a collection are meant. */
export interface Selection {
  readonly isEverything: boolean;
  /** The one name that can match; undefined when several can. */
  readonly onlyName: string | undefined;
  /** As the list repeats it, so that its reader knows that this is not everything. */
  readonly shard: string | undefined;
  /** How many terms are looked at for each object, at most. */
  readonly terms: number;
  matches(object: DeepReadonly<KubeObject>): boolean;
}

/** So many objects are looked at in one go with a short selector; with a long one, fewer. */
const AT_ONCE = 500;
const TERMS_AT_ONCE = 50_000;

/** How many objects of a long list may be looked at before others may get their turn. */
export function objectsAtOnce({ terms }: Pick<Selection, 'terms'>): number {
  return Math.max(1, Math.min(AT_ONCE, Math.floor(TERMS_AT_ONCE / Math.max(1, terms))));
}

const EVERYTHING: Selection = Object.freeze({
  isEverything: true,
  onlyName: undefined,
  shard: undefined,
  terms: 0,
  matches: () => true,
});

type Selectors = Pick<ListParameters, 'labelSelector' | 'fieldSelector' | 'shardSelector'>;

export function selectionOf(
  definition: ResourceDefinition,
  { labelSelector, fieldSelector, shardSelector }: Selectors,
): Selection {
  const labels = parseLabels(labelSelector);
  const fields = parseFields(definition, fieldSelector);
  const shard = parseShard(shardSelector);
  if (labels.isEmpty && fields.requirements.length === 0 && shard === undefined) return EVERYTHING;
  const onlyName = fields.requirements.find(
    ({ field, operator }) => field === 'metadata.name' && operator === '=',
  )?.value;
  return {
    isEverything: false,
    onlyName,
    shard: shard?.toString(),
    terms: labels.requirements.length + fields.requirements.length + (shard?.ranges.length ?? 0),
    matches: (object) =>
      (shard === undefined || shard.matches(object)) &&
      labels.matches(object.metadata?.labels) &&
      fields.matches((field) => fieldOf(definition, object, field)),
  };
}

function parseLabels(text: string | undefined): Selector {
  if (text === undefined || text === '') return selectEverything;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw newBadRequest(error instanceof Error ? error.message : 'invalid label selector');
  }
}

function parseShard(text: string | undefined): ShardSelector | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return ShardSelector.parse(text);
  } catch (error) {
    throw newBadRequest(`invalid shard selector: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
}

function parseFields(definition: ResourceDefinition, text: string | undefined): FieldSelector {
  if (text === undefined || text === '') return FieldSelector.everything;
  let selector: FieldSelector;
  try {
    selector = FieldSelector.parse(text);
  } catch (error) {
    throw newBadRequest(error instanceof Error ? error.message : 'invalid field selector');
  }
  for (const { field } of selector.requirements) {
    const isKnown =
      field === 'metadata.name' ||
      (field === 'metadata.namespace' && hasNamespaceField(definition)) ||
      definition.selectableFields.has(field);
    if (!isKnown) throw newBadRequest(unknownField(definition, field));
  }
  return selector;
}

/** Those that have fields of their own to select by name all of them, and what is in no namespace leaves that out. */
function hasNamespaceField({ namespaced, isCustom, selectableFields }: ResourceDefinition): boolean {
  return namespaced || !(isCustom || selectableFields.size > 0);
}

/** Kinds that have fields of their own to select by speak of labels; the others say what there is. */
function unknownField(definition: ResourceDefinition, field: string): string {
  if (definition.kind === 'Job') return `field label ${goQuote(field)} not supported for Job`;
  if (definition.kind === 'ResourceSlice' && !definition.isCustom)
    return `field label not supported for ${definition.group}/${definition.version}, Kind=ResourceSlice: ${field}`;
  if (definition.isCustom || definition.selectableFields.size > 0)
    return `field label not supported: ${field}`;
  return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function fieldOf(definition: ResourceDefinition, object: DeepReadonly<KubeObject>, field: string): string {
  if (field === 'metadata.name') return object.metadata?.name ?? '';
  if (field === 'metadata.namespace') return object.metadata?.namespace ?? '';
  return definition.selectableFields.get(field)?.(object) ?? '';
}
