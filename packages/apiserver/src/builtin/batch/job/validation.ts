import { FieldPath, selectorFromObject, validateDns1123Label } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { View } from '../../../resource/views.ts';
import { isSelected, refuseLabels } from '../../core/pod-spec/workload-rules.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { asSelector } from '../../shared/selectors.ts';
import { jobLabels } from './labels.ts';
import { validateJobSpec } from './spec-validation.ts';
import { validateJobStatus } from './status-validation.ts';
import { validateSpecUpdate } from './update-validation.ts';

const SPEC = FieldPath.of('spec');

export const jobValidation: ValidationOf<Job> = {
  create: validateJob,
  update(job, old, findings) {
    validateJob(job, findings);
    validateSpecUpdate(job, old, findings);
  },
  status: validateJobStatus,
};

function validateJob(job: View<Job>, findings: Findings): void {
  const { spec = {} } = job;
  validateGenerated(job, findings);
  validateJobSpec(spec, SPEC, findings);
  validateSelector(job, findings);
  const { completions, completionMode } = spec;
  if (completionMode !== 'Indexed' || completions === undefined || completions <= 0) return;
  const name = job.metadata?.name ?? '';
  const last = `${name}-${completions - 1}`;
  if (validateDns1123Label(last).length > 0)
    findings.invalid(
      FieldPath.of('metadata', 'name'),
      name,
      `will not able to create pod with invalid DNS label: ${last}`,
    );
}

/** A job finds its pods by labels that nobody else has. */
function validateGenerated(job: View<Job>, findings: Findings): void {
  const { manualSelector, selector, template } = job.spec ?? {};
  if (manualSelector === true || selector === undefined) return;
  const expected = jobLabels(job);
  const labels = template?.metadata?.labels ?? {};
  const path = SPEC.child('template', 'metadata', 'labels');
  for (const [key, value] of Object.entries(expected)) {
    if (labels[key] === undefined) findings.required(path.key(key), `must be '${value}'`);
    else if (labels[key] !== value) findings.invalid(path.key(key), labels, `must be '${value}'`);
  }
  try {
    if (!selectorFromObject(asSelector(selector)).matches(expected))
      findings.invalid(SPEC.child('selector'), selector, '`selector` not auto-generated');
  } catch {
    // What is wrong with the selector itself is told elsewhere.
  }
}

function validateSelector({ spec: { selector, template } = {} }: View<Job>, findings: Findings): void {
  if (selector === undefined) findings.required(SPEC.child('selector'));
  else findings.selector(SPEC.child('selector'), selector);
  // What is wrong with a selector that cannot be read is told already.
  if (isSelected(selector, template) === false) refuseLabels(template, findings);
}
