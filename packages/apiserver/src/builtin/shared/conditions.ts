import type { FieldPath } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import type { View } from '../../resource/views.ts';
import type { Findings } from './findings.ts';

const MAX_REASON = 1024;
const MAX_MESSAGE = 32 * 1024;
const REASON = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;

/** Conditions of the common form, as newer kinds have them. */
export function validateConditions(
  conditions: readonly View<Condition>[],
  path: FieldPath,
  findings: Findings,
): void {
  const types = new Set<string>();
  for (const [index, condition] of conditions.entries()) {
    const at = path.index(index);
    const { type = '', status = '', observedGeneration: generation, reason = '', message = '' } = condition;
    if (types.has(type)) findings.duplicate(at.child('type'), type);
    types.add(type);
    findings.qualifiedName(at.child('type'), type);
    findings.oneOf(at.child('status'), status, ['False', 'True', 'Unknown']);
    if (generation !== undefined && generation < 0)
      findings.invalid(at.child('observedGeneration'), generation, 'must be greater than or equal to zero');
    if ((condition.lastTransitionTime ?? '') === '') findings.required(at.child('lastTransitionTime'));
    validateReason(reason, at.child('reason'), findings);
    if (Buffer.byteLength(message) > MAX_MESSAGE) findings.tooLong(at.child('message'), MAX_MESSAGE);
  }
}

function validateReason(reason: string, path: FieldPath, findings: Findings): void {
  if (reason === '') {
    findings.required(path);
    return;
  }
  if (!REASON.test(reason))
    findings.invalid(
      path,
      reason,
      "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')",
    );
  if (Buffer.byteLength(reason) > MAX_REASON) findings.tooLong(path, MAX_REASON);
}
