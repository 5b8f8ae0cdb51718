// What workloads ask of the templates of their pods.
import { FieldPath, selectorFromObject } from '@windlass/apimachinery';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { asSelector } from '../../shared/selectors.ts';

const TEMPLATE = FieldPath.of('spec', 'template');

type Template = View<PodTemplateSpec> | undefined;

/** Whether the pods will be selected; undefined when the selector cannot be read. An absent one selects nothing. */
export function isSelected(
  selector: View<LabelSelector> | undefined,
  template: Template,
): boolean | undefined {
  try {
    return selectorFromObject(selector && asSelector(selector)).matches(template?.metadata?.labels ?? {});
  } catch {
    return undefined;
  }
}

/** For a template whose pods the workload would not find. */
export function refuseLabels(template: Template, findings: Findings): void {
  findings.invalid(
    TEMPLATE.child('metadata', 'labels'),
    template?.metadata?.labels ?? null,
    '`selector` does not match template `labels`',
  );
}

/** Pods of these workloads run until somebody stops them. */
export function validateAlwaysRestarted(template: Template, noun: string, findings: Findings): void {
  const { restartPolicy = '', activeDeadlineSeconds } = template?.spec ?? {};
  const path = TEMPLATE.child('spec');
  findings.oneOf(path.child('restartPolicy'), restartPolicy, ['Always']);
  if (activeDeadlineSeconds !== undefined)
    findings.forbidden(
      path.child('activeDeadlineSeconds'),
      `activeDeadlineSeconds in ${noun} is not Supported`,
    );
}
