import { FieldPath } from '@windlass/apimachinery';
import type { CSIDriver, TokenRequest } from '@windlass/apimachinery/api/storage/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';

const SPEC = FieldPath.of('spec');

export const csiDriverValidation: ValidationOf<CSIDriver> = {
  create: validateDriver,
  update(driver, old, findings) {
    validateDriver(driver, findings);
    const [spec, before] = [driver.spec ?? {}, old.spec ?? {}];
    findings.immutable(SPEC.child('attachedRequired'), spec.attachRequired, before.attachRequired);
    findings.immutable(
      SPEC.child('volumeLifecycleModes'),
      spec.volumeLifecycleModes,
      before.volumeLifecycleModes,
    );
  },
};

function validateDriver({ spec = {} }: View<CSIDriver>, findings: Findings): void {
  for (const [field, name] of [
    ['attachRequired', 'attachedRequired'],
    ['podInfoOnMount', 'podInfoOnMount'],
    ['storageCapacity', 'storageCapacity'],
  ] as const)
    if (spec[field] === undefined) findings.required(SPEC.child(name));
  findings.oneOf(SPEC.child('fsGroupPolicy'), spec.fsGroupPolicy, [
    'File',
    'None',
    'ReadWriteOnceWithFSType',
  ]);
  const requests = spec.tokenRequests ?? [];
  validateTokenRequests(requests, SPEC.child('tokenRequests'), findings);
  for (const mode of spec.volumeLifecycleModes ?? [])
    findings.oneOf(SPEC.child('volumeLifecycleModes'), mode, ['Persistent', 'Ephemeral']);
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets: inSecrets } = spec;
  if (period !== undefined && period < 10)
    findings.invalid(
      SPEC.child('nodeAllocatableUpdatePeriodSeconds'),
      period,
      'must be greater than or equal to 10 seconds',
    );
  if (inSecrets !== undefined && requests.length === 0)
    findings.invalid(
      SPEC.child('serviceAccountTokenInSecrets'),
      inSecrets,
      'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
    );
}

function validateTokenRequests(
  requests: readonly View<TokenRequest>[],
  path: FieldPath,
  findings: Findings,
): void {
  const audiences = new Set<string>();
  for (const [index, { audience = '', expirationSeconds: seconds }] of requests.entries()) {
    const at = path.index(index);
    if (audiences.has(audience)) {
      findings.duplicate(at.child('audience'), audience);
      continue;
    }
    audiences.add(audience);
    if (seconds === undefined) continue;
    const where = at.child('expirationSeconds');
    if (seconds < 600) findings.invalid(where, seconds, 'may not specify a duration less than 10 minutes');
    if (seconds > 2 ** 32)
      findings.invalid(where, seconds, 'may not specify a duration larger than 2^32 seconds');
  }
}
