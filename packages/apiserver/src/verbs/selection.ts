import {
  type DeepReadonly,
  FieldSelector,
  goQuote,
  type KubeObject,
  newBadRequest,
  parseLabelSelector,
  type Selector,
  selectEverything,
} from '@windlass/apimachinery';
import type { ResourceDefinition } from '../resource/definition.ts';

/** Which objects of a collection are meant. */
export interface Selection {
  readonly isEverything: boolean;
  /** The one name that can match; undefined when several can. */
  readonly onlyName: string | undefined;
  matches(object: DeepReadonly<KubeObject>): boolean;
}

const EVERYTHING: Selection = Object.freeze({ isEverything: true, onlyName: undefined, matches: () => true });

export function selectionOf(
  definition: ResourceDefinition,
  labelSelector: string | undefined,
  fieldSelector: string | undefined,
): Selection {
  const labels = parseLabels(labelSelector);
  const fields = parseFields(definition, fieldSelector);
  if (labels.isEmpty && fields.requirements.length === 0) return EVERYTHING;
  const onlyName = fields.requirements.find(
    ({ field, operator }) => field === 'metadata.name' && operator === '=',
  )?.value;
  return {
    isEverything: false,
    onlyName,
    matches: (object) =>
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
      field === 'metadata.name' || field === 'metadata.namespace' || definition.selectableFields.has(field);
    if (!isKnown) throw newBadRequest(unknownField(definition, field));
  }
  return selector;
}

/** Kinds that have fields of their own to select by speak of labels; the others say what there is. */
function unknownField(definition: ResourceDefinition, field: string): string {
  if (definition.kind === 'Job') return `field label ${goQuote(field)} not supported for Job`;
  if (definition.isCustom || definition.selectableFields.size > 0)
    return `field label not supported: ${field}`;
  return `${goQuote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

function fieldOf(definition: ResourceDefinition, object: DeepReadonly<KubeObject>, field: string): string {
  if (field === 'metadata.name') return object.metadata?.name ?? '';
  if (field === 'metadata.namespace') return object.metadata?.namespace ?? '';
  return definition.selectableFields.get(field)?.(object) ?? '';
}
