import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { DeviceClass, DeviceClassSpec } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { isExtended } from '../../shared/resource-names.ts';
import { MAX_CONFIGS } from '../limits.ts';
import { validateConfiguration } from '../shared/configuration.ts';
import { validateItems } from '../shared/lists.ts';
import { validateSelectors } from '../shared/selectors.ts';

const SPEC = FieldPath.of('spec');

export const deviceClassValidation: ValidationOf<DeviceClass> = {
  create: ({ spec }, findings) => validateSpec(spec ?? {}, undefined, findings),
  update: ({ spec }, old, findings) => validateSpec(spec ?? {}, old.spec ?? {}, findings),
};

/** What is exactly as it was is not looked at again: the rules may have become stricter since. */
function validateSpec(
  spec: View<DeviceClassSpec>,
  old: View<DeviceClassSpec> | undefined,
  findings: Findings,
): void {
  const isStored = (field: 'selectors' | 'config'): boolean =>
    old !== undefined && deepEqual(spec[field] ?? [], old[field] ?? []);
  validateSelectors(spec.selectors ?? [], SPEC.child('selectors'), findings, isStored('selectors'));
  validateItems(spec.config ?? [], MAX_CONFIGS, SPEC.child('config'), findings, (config, at) =>
    validateConfiguration(config, at, findings, isStored('config')),
  );
  const { extendedResourceName: extended } = spec;
  if (extended !== undefined && !isExtended(extended))
    findings.invalid(SPEC.child('extendedResourceName'), extended, 'must be a valid extended resource name');
}
