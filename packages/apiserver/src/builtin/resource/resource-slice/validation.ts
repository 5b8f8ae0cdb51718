import { FieldPath } from '@windlass/apimachinery';
import type {
  CounterSet,
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import { validateDriverName } from '../../shared/driver-name.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateNodeSelector } from '../../shared/node-selectors.ts';
import { MAX_ADVANCED_DEVICES, MAX_COUNTER_SETS, MAX_DEVICES } from '../limits.ts';
import { validateSet } from '../shared/lists.ts';
import { validatePoolName } from '../shared/names.ts';
import { validateCounters } from './counters.ts';
import { validateDevice } from './device.ts';

const SPEC = FieldPath.of('spec');

export const resourceSliceValidation: ValidationOf<ResourceSlice> = {
  create: ({ spec }, findings) => validateSpec(spec ?? {}, undefined, findings),
  update: ({ spec }, old, findings) => validateSpec(spec ?? {}, old.spec ?? {}, findings),
};

function validateSpec(
  spec: View<ResourceSliceSpec>,
  old: View<ResourceSliceSpec> | undefined,
  findings: Findings,
): void {
  validateDriverName(spec.driver ?? '', SPEC.child('driver'), findings);
  validatePool(spec.pool ?? {}, SPEC.child('pool'), findings);
  if (old !== undefined) {
    findings.immutable(SPEC.child('pool', 'name'), spec.pool?.name, old.pool?.name);
    findings.immutable(SPEC.child('driver'), spec.driver, old.driver);
    findings.immutable(SPEC.child('nodeName'), spec.nodeName, old.nodeName);
  }
  validateNodes(spec, findings);
  const devices = spec.devices ?? [];
  const counterSets = spec.sharedCounters ?? [];
  if (devices.length > 0 && counterSets.length > 0)
    findings.invalid(SPEC, '', 'only one of `sharedCounters` or `devices` is allowed');
  const isAdvanced = devices.some(
    ({ taints, consumesCounters }) => (taints ?? []).length > 0 || (consumesCounters ?? []).length > 0,
  );
  const before = new Map((old?.devices ?? []).map((device) => [device.name ?? '', device]));
  validateSet(
    devices,
    isAdvanced ? MAX_ADVANCED_DEVICES : MAX_DEVICES,
    SPEC.child('devices'),
    findings,
    ({ name = '' }) => name,
    (device, at) => {
      const known = before.get(device.name ?? '');
      validateDevice(device, known, spec.perDeviceNodeSelection === true, at, findings);
    },
  );
  validateSet(
    counterSets,
    MAX_COUNTER_SETS,
    SPEC.child('sharedCounters'),
    findings,
    ({ name = '' }) => name,
    (set, at) => validateCounterSet(set, at, findings),
  );
}

function validatePool(pool: View<ResourcePool>, path: FieldPath, findings: Findings): void {
  const { name = '', resourceSliceCount = 0, generation = 0 } = pool;
  validatePoolName(name, path.child('name'), findings);
  if (resourceSliceCount <= 0)
    findings.invalid(path.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero');
  if (generation < 0)
    findings.invalid(path.child('generation'), generation, 'must be greater than or equal to zero');
}

/** Where the devices are: on one node, on some, on all, or each for itself. */
function validateNodes(spec: View<ResourceSliceSpec>, findings: Findings): void {
  const { nodeName, nodeSelector } = spec;
  const given: string[] = [];
  if (nodeName === '')
    findings.invalid(SPEC.child('nodeName'), '', 'must be either unset or set to a non-empty string');
  else if (nodeName !== undefined) {
    given.push('`nodeName`');
    findings.subdomain(SPEC.child('nodeName'), nodeName);
  }
  if (nodeSelector !== undefined) {
    given.push('`nodeSelector`');
    const at = SPEC.child('nodeSelector');
    const terms = nodeSelector.nodeSelectorTerms ?? [];
    validateNodeSelector(nodeSelector, at, findings);
    if (terms.length !== 1)
      findings.invalid(at.child('nodeSelectorTerms'), terms, 'must have exactly one node selector term');
  }
  for (const field of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec[field] === true) given.push(`\`${field}\``);
    else if (spec[field] === false)
      findings.invalid(SPEC.child(field), false, 'must be either unset or set to true');
  }
  const oneOf = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (given.length === 0) findings.required(SPEC, oneOf);
  else if (given.length > 1)
    findings.invalid(SPEC, `{${given.join(', ')}}`, `${oneOf}, but multiple fields are set`);
}

function validateCounterSet(
  { name = '', counters }: View<CounterSet>,
  path: FieldPath,
  findings: Findings,
): void {
  if (name === '') findings.required(path.child('name'));
  else findings.label(path.child('name'), name);
  validateCounters(counters ?? {}, path.child('counters'), findings);
}
