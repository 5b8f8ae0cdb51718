import type { FieldPath } from '@windlass/apimachinery';
import type { DeviceClaim } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_REQUESTS } from '../limits.ts';
import { validateSet } from './lists.ts';

/** The requests of a claim, each with the names of its alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>;

export function requestNamesOf({ requests }: View<DeviceClaim>): RequestNames {
  return new Map(
    (requests ?? []).map(({ name = '', firstAvailable }) => [
      name,
      new Set((firstAvailable ?? []).map((alternative) => alternative.name ?? '')),
    ]),
  );
}

/** `request` or `request/alternative`. */
export function validateRequestReference(
  reference: string,
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  const [request = '', alternative, ...more] = reference.split('/');
  if (more.length === 0) {
    findings.label(path, request);
    if (alternative !== undefined) findings.label(path, alternative);
  }
  const alternatives = names.get(request);
  const isKnown =
    more.length === 0 &&
    alternatives !== undefined &&
    (alternative === undefined || alternatives.has(alternative));
  if (!isKnown)
    findings.invalid(
      path,
      reference,
      "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'",
    );
}

export function validateRequestReferences(
  references: readonly string[],
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  validateSet(references, MAX_REQUESTS, path, findings, String, (reference, at) =>
    validateRequestReference(reference, names, at, findings),
  );
}
