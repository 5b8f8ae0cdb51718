import { BASELINE_CHECKS } from './baseline-checks.ts';
import { RESTRICTED_CHECKS } from './restricted-checks.ts';
import type { CheckedPod, PodCheck, SecurityCheck, Violation } from './security-check.ts';
import type { LevelVersion } from './security-policy.ts';

/** All that a level of a version has against a pod. */
export function violationsOf({ level, minor }: LevelVersion, pod: CheckedPod): Violation[] {
  if (level === 'privileged') return [];
  const at = minor === 'latest' ? Number.POSITIVE_INFINITY : minor;
  const restricted = level === 'restricted' ? RESTRICTED_CHECKS : [];
  const replaced = new Set(
    restricted.flatMap((check) => (formAt(check, at) === undefined ? [] : [check.replaces])),
  );
  return [...BASELINE_CHECKS.filter(({ id }) => !replaced.has(id)), ...restricted].flatMap(
    (check) => formAt(check, at)?.(pod) ?? [],
  );
}

/** The form of a check that holds in a version; undefined before it was invented. */
function formAt({ since }: SecurityCheck, minor: number): PodCheck | undefined {
  return since.findLast(([from]) => from <= minor)?.[1];
}

/** `host namespaces (hostNetwork=true), privileged (…)` */
export function violationsText(violations: readonly Violation[]): string {
  return violations
    .map(({ reason, detail }) => (detail === '' ? reason : `${reason} (${detail})`))
    .join(', ');
}
