import type { FieldPath } from '@windlass/apimachinery';
import type { Findings } from '../../shared/findings.ts';

/** When an image is pulled: that of a container, or of a volume. */
export function validatePullPolicy(policy = '', path: FieldPath, findings: Findings): void {
  if (policy === '') findings.required(path);
  else findings.oneOf(path, policy, ['Always', 'IfNotPresent', 'Never']);
}
