import { escapeFieldValue, FieldSelector, newBadRequest } from '@windlass/apimachinery';
import type { ListParameters } from './list-options.ts';

/**
 * The parameters of a list or watch that was authorised for one name: they select that name and no other.
 * @param name empty when the whole collection was authorised
 * @throws StatusError 400 when the field selector selects something else
 */
export function onlyNamed(parameters: ListParameters, name: string): ListParameters {
  if (name === '') return parameters;
  const selected = selectedName(parameters.fieldSelector);
  if (selected === undefined)
    return { ...parameters, fieldSelector: `metadata.name=${escapeFieldValue(name)}` };
  if (selected !== name) throw newBadRequest("fieldSelector metadata.name doesn't match requested name");
  return parameters;
}

/** Undefined when there is no selector; empty when there is one that does not name an object. */
function selectedName(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const selector = FieldSelector.parse(text);
    return selector.isEmpty ? undefined : (selector.requiredValue('metadata.name') ?? '');
  } catch (error) {
    throw newBadRequest(error instanceof Error ? error.message : 'invalid field selector');
  }
}
