import { newNotAcceptable } from '@windlass/apimachinery';

export interface DocumentForms {
  /** The media types of both, best first where a client takes anything. */
  readonly json: string;
  readonly protobuf: readonly string[];
}

/** Which form of a document an Accept header asks for. Throws a StatusError (406) when it asks for neither. */
export function acceptedForm(
  accept: string | undefined,
  { json, protobuf }: DocumentForms,
): 'json' | 'protobuf' {
  const asked = (accept ?? '').split(',').map((clause) => clause.split(';')[0]?.trim().toLowerCase() ?? '');
  for (const type of asked) {
    if (type === '' || type === '*/*' || type === 'application/*' || type === json) return 'json';
    if (protobuf.includes(type)) return 'protobuf';
  }
  throw newNotAcceptable([json, ...protobuf]);
}
