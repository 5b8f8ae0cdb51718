import { goQuote } from '../text/go-text.ts';
import { newForbidden } from './status-constructors.ts';
import type { StatusError } from './status-error.ts';

/** What somebody asked to do: with a resource, or with a path that is none. */
export type AccessAttempt =
  | {
      readonly user: string;
      readonly verb: string;
      readonly group: string;
      /** The lower-case plural. */
      readonly resource: string;
      readonly subresource?: string;
      /** Absent or empty at the cluster scope. */
      readonly namespace?: string;
      readonly name?: string;
    }
  | { readonly user: string; readonly verb: string; readonly path: string };

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** `User "u" cannot list resource "pods" in API group "" in the namespace "ns"`. */
function explanation(attempt: AccessAttempt): string {
  const who = `User ${goQuote(attempt.user)} cannot ${attempt.verb}`;
  if ('path' in attempt) return `${who} path ${goQuote(attempt.path)}`;
  const resource = attempt.subresource ? `${attempt.resource}/${attempt.subresource}` : attempt.resource;
  const where = attempt.namespace ? `in the namespace ${goQuote(attempt.namespace)}` : 'at the cluster scope';
  return `${who} resource ${goQuote(resource)} in API group ${goQuote(attempt.group)} ${where}`;
}

/**
 * The refusal of an authorizer. The part that repeats the request is free of HTML, because browsers may
 * show it; `reason` is the authorizer's own and stays as it is.
 */
export function newAccessDenied(attempt: AccessAttempt, reason = ''): StatusError {
  const safe = explanation(attempt).replace(/[&<>]/g, (character) => HTML[character] ?? character);
  const problem = reason === '' ? safe : `${safe}: ${reason}`;
  if ('path' in attempt) return newForbidden(undefined, '', problem);
  return newForbidden({ group: attempt.group, resource: attempt.resource }, attempt.name ?? '', problem);
}
