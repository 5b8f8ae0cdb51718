// Which pods a workload takes for its own.
import { FieldPath } from '@windlass/apimachinery';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import type { LabelSelector } from '@windlass/apimachinery/api/meta/v1';
import type { View } from '../../resource/views.ts';
import { isSelected, refuseLabels } from '../core/pod-spec/workload-rules.ts';
import type { Findings } from '../shared/findings.ts';

const SELECTOR = FieldPath.of('spec', 'selector');

interface Selecting {
  readonly selector?: View<LabelSelector> | null;
  readonly template?: View<PodTemplateSpec>;
}

/**
 * Whether the selector can be read at all.
 *
 * @param noun what an empty selector is invalid for
 * @param unreadable what is said of a selector that cannot be read
 */
export function validateSelection(
  { selector: given, template }: Selecting,
  noun: string,
  unreadable: string,
  findings: Findings,
): boolean {
  const selector = given ?? undefined;
  if (selector === undefined) findings.required(SELECTOR);
  else {
    findings.selector(SELECTOR, selector);
    validateNotEmpty(selector, noun, findings);
  }
  const isMatch = isSelected(selector, template);
  if (isMatch === undefined) {
    findings.invalid(SELECTOR, selector, unreadable);
    return false;
  }
  if (!isMatch) refuseLabels(template, findings);
  return true;
}

export function validateNotEmpty(selector: View<LabelSelector>, noun: string, findings: Findings): void {
  const isEmpty =
    Object.keys(selector.matchLabels ?? {}).length === 0 && (selector.matchExpressions ?? []).length === 0;
  if (isEmpty) findings.invalid(SELECTOR, selector, `empty selector is invalid for ${noun}`);
}

export function validateSameSelector(
  object: { readonly spec?: Selecting },
  old: { readonly spec?: Selecting },
  findings: Findings,
): void {
  findings.immutable(SELECTOR, object.spec?.selector, old.spec?.selector);
}
