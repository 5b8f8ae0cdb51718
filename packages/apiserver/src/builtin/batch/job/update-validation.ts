// What of a job may change.
import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Job } from '@windlass/apimachinery/api/batch/v1';
import type { Container, PodSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');

export function validateSpecUpdate(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [spec, before] = [job.spec ?? {}, old.spec ?? {}];
  const path = SPEC.child('completions');
  const { completions } = spec;
  if (spec.completionMode !== 'Indexed') findings.immutable(path, completions, before.completions);
  else if (
    completions !== undefined &&
    completions !== before.completions &&
    completions !== spec.parallelism
  )
    findings.invalid(path, completions, 'can only be modified in tandem with spec.parallelism');
  findings.immutable(SPEC.child('selector'), spec.selector, before.selector);
  validateTemplateUpdate(job, old, findings);
  for (const field of [
    'completionMode',
    'podFailurePolicy',
    'backoffLimitPerIndex',
    'managedBy',
    'successPolicy',
  ] as const)
    findings.immutable(SPEC.child(field), spec[field], before[field]);
}

/** While a job is suspended and has never run, where its pods go and what they ask for may change. */
function validateTemplateUpdate(job: View<Job>, old: View<Job>, findings: Findings): void {
  const [template, before] = [job.spec?.template ?? {}, old.spec?.template ?? {}];
  const isSuspended = old.spec?.suspend === true;
  const hasRun = old.status?.startTime !== undefined;
  if (!isSuspended || hasRun) findings.immutable(SPEC.child('template'), template, before);
  else if (!deepEqual(fixed(template.spec ?? {}), fixed(before.spec ?? {})))
    findings.invalid(SPEC.child('template.spec'), template.spec ?? {}, 'field is immutable');
}

/** A pod without where it goes and what it asks for. */
function fixed(pod: View<PodSpec>): View<PodSpec> {
  const { nodeSelector: _selector, tolerations: _tolerations, schedulingGates: _gates, ...rest } = pod;
  const { nodeAffinity: _node, ...affinity } = pod.affinity ?? {};
  const containers = (pod.containers ?? []).map(withoutResources);
  return { ...rest, affinity, containers, initContainers: (pod.initContainers ?? []).map(withoutResources) };
}

function withoutResources({ resources: _resources, ...container }: View<Container>): View<Container> {
  return container;
}
