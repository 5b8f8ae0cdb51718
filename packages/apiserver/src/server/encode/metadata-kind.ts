import { failureStatus, StatusError } from '@windlass/apimachinery';
import { fieldOf } from '@windlass/base';
import type { ServerResponse } from '../../exchange/exchange.ts';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { OutputForm } from './negotiation.ts';

/** Bare metadata of one object is not that of a list. Throws a StatusError (406) where it was asked for so. */
export function checkMetadataKind(
  { as, kind }: Pick<OutputForm, 'as' | 'kind'>,
  answer: ServerResponse,
  definition: ResourceDefinition | undefined,
): void {
  if (as !== 'metadata' || definition === undefined) return;
  const isList = answer.type === 'list';
  const isObject = answer.type === 'object' && fieldOf(answer.object, 'kind') !== 'Status';
  if (isList && kind === 'PartialObjectMetadata')
    throw refused(
      `you requested ${kind}, but the requested object is a list (${goTypeOf(definition, true)})`,
    );
  if (isObject && kind === 'PartialObjectMetadataList')
    throw refused(
      `you requested ${kind}, but the requested object is not a list (${goTypeOf(definition, false)})`,
    );
}

function refused(message: string): StatusError {
  return new StatusError(failureStatus(406, 'NotAcceptable', message, undefined));
}

/** What upstream calls the type. */
function goTypeOf({ isCustom, group, kind, listKind }: ResourceDefinition, isList: boolean): string {
  if (isCustom) return isList ? '*unstructured.UnstructuredList' : '*unstructured.Unstructured';
  return `*${group === '' ? 'core' : group.split('.')[0]}.${isList ? listKind : kind}`;
}
