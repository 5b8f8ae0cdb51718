import { type KubeObject, newBadRequest } from '@windlass/apimachinery';
import type { Draft } from '../../resource/strategy.ts';
import type { View } from '../../resource/views.ts';
import { decodeBuiltin } from '../decode.ts';

interface Kind<T extends KubeObject> {
  readonly group: string;
  readonly version: string;
  readonly kind: NonNullable<T['kind']>;
}

/**
 * What a client sent to a subresource, as an object of the kind that the subresource takes. Throws a StatusError (400)
 * when there is none, or when a field has the wrong type.
 */
export function bodyAs<T extends KubeObject>(kind: Kind<T>, body: Draft | undefined): View<T> {
  if (body === undefined) throw newBadRequest(`the body must be ${articleOf(kind.kind)} ${kind.kind}`);
  // The typed form of a kind has the fields of the kind's type.
  return decodeBuiltin(kind, body).draft as unknown as View<T>;
}

function articleOf(noun: string): string {
  return /^[AEIOU]/.test(noun) ? 'an' : 'a';
}
