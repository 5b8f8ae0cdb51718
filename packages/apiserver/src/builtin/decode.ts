import { apiVersionOf, newBadRequest, TypedFormError, toTypedForm } from '@windlass/apimachinery';
import type { Decoded } from '../resource/definition.ts';

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/**
 * The typed form of what a client sent as an object of a built-in kind.
 *
 * @param known an object in its typed form; the fields of `body` that are its very own are shared
 * @throws StatusError (400) when a value has the wrong type
 */
export function decodeBuiltin(
  { group, version, kind }: Kind,
  body: Readonly<Record<string, unknown>>,
  known?: Readonly<Record<string, unknown>>,
): Decoded {
  const apiVersion = apiVersionOf({ group, version });
  try {
    const { object, problems } = toTypedForm(apiVersion, kind, body, known);
    return { draft: { ...object, kind, apiVersion }, problems };
  } catch (error) {
    if (!(error instanceof TypedFormError)) throw error;
    throw newBadRequest(
      `${kind} in version ${JSON.stringify(version)} cannot be handled as a ${kind}: ${error.message}`,
    );
  }
}
