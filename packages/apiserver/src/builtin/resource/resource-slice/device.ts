import { deepEqual, type FieldPath } from '@windlass/apimachinery';
import type { Device, DeviceAttribute } from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateNodeSelector } from '../../shared/node-selectors.ts';
import {
  MAX_ATTRIBUTE_LENGTH,
  MAX_ATTRIBUTES_AND_CAPACITIES,
  MAX_COUNTER_CONSUMPTIONS,
  MAX_DOMAIN_LENGTH,
  MAX_ID_LENGTH,
  MAX_TAINTS,
} from '../limits.ts';
import { validateBindingConditions } from '../shared/binding-conditions.ts';
import { shownKey, validateItems, validateSet } from '../shared/lists.ts';
import { validateQualifiedDeviceName } from '../shared/names.ts';
import { validateDeviceTaint } from '../shared/taints.ts';
import { validateCapacity } from './capacity.ts';
import { validateCounters } from './counters.ts';

const MAX_KEY_LENGTH = MAX_DOMAIN_LENGTH + 1 + MAX_ID_LENGTH;
const NUMBER = '(0|[1-9]\\d*)';
const PRE_RELEASE = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const BUILD = '[0-9a-zA-Z-]+';
const SEMVER = new RegExp(
  `^${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PRE_RELEASE}(\\.${PRE_RELEASE})*)?(\\+${BUILD}(\\.${BUILD})*)?$`,
);

/** @param old the device of this name as it was; its capacity and taints are not looked at again when they are the same */
export function validateDevice(
  device: View<Device>,
  old: View<Device> | undefined,
  isPlacedAlone: boolean,
  path: FieldPath,
  findings: Findings,
): void {
  const [attributes, capacity] = [device.attributes ?? {}, device.capacity ?? {}];
  findings.label(path.child('name'), device.name ?? '');
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > MAX_ATTRIBUTES_AND_CAPACITIES)
    findings.invalid(
      path,
      count,
      `the total number of attributes and capacities must not exceed ${MAX_ATTRIBUTES_AND_CAPACITIES}`,
    );
  validateNamed(attributes, path.child('attributes'), findings, (attribute, at) =>
    validateAttribute(attribute, at, findings),
  );
  if (old === undefined || !deepEqual(old.capacity, device.capacity)) {
    const isShared = device.allowMultipleAllocations === true;
    validateNamed(capacity, path.child('capacity'), findings, (one, at) =>
      validateCapacity(one, isShared, at, findings),
    );
  }
  if (old === undefined || !deepEqual(old.taints, device.taints))
    validateItems(device.taints ?? [], MAX_TAINTS, path.child('taints'), findings, (taint, at) =>
      validateDeviceTaint(taint, at, findings),
    );
  validateSet(
    device.consumesCounters ?? [],
    MAX_COUNTER_CONSUMPTIONS,
    path.child('consumesCounters'),
    findings,
    ({ counterSet = '' }) => counterSet,
    ({ counterSet = '', counters }, at) => {
      if (counterSet === '') findings.required(at.child('counterSet'));
      else findings.label(at.child('counterSet'), counterSet);
      validateCounters(counters ?? {}, at.child('counters'), findings);
    },
  );
  validatePlace(device, isPlacedAlone, path, findings);
  validateBindingConditions(device, path, findings);
}

/** Names first, as they stand, then what they name. */
function validateNamed<T>(
  entries: Readonly<Record<string, T>>,
  path: FieldPath,
  findings: Findings,
  validate: (entry: T, path: FieldPath) => void,
): void {
  for (const [name, entry] of Object.entries(entries)) {
    validateQualifiedDeviceName(name, path, findings);
    validate(entry, path.key(shownKey(name, MAX_KEY_LENGTH)));
  }
}

function validateAttribute(attribute: View<DeviceAttribute>, path: FieldPath, findings: Findings): void {
  const { bool, int, string, version } = attribute;
  if (string !== undefined && Buffer.byteLength(string) > MAX_ATTRIBUTE_LENGTH)
    findings.tooLong(path.child('string'), MAX_ATTRIBUTE_LENGTH);
  if (version !== undefined) {
    const at = path.child('version');
    const isLong = Buffer.byteLength(version) > MAX_ATTRIBUTE_LENGTH;
    if (isLong) findings.tooLong(at, MAX_ATTRIBUTE_LENGTH);
    if (isLong || !SEMVER.test(version))
      findings.invalid(at, version, 'must be a string compatible with semver.org spec 2.0.0');
  }
  const count = [bool, int, string, version].filter((value) => value !== undefined).length;
  if (count !== 1)
    findings.invalid(path, count === 0 ? '' : attribute, 'exactly one value must be specified');
}

function validatePlace(
  { nodeName, nodeSelector, allNodes }: View<Device>,
  isPlacedAlone: boolean,
  path: FieldPath,
  findings: Findings,
): void {
  if (!isPlacedAlone) {
    if (nodeName !== undefined || nodeSelector !== undefined || allNodes !== undefined)
      findings.invalid(
        path,
        null,
        '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
      );
    return;
  }
  const given: string[] = [];
  if (nodeName === '') findings.invalid(path.child('nodeName'), '', 'must not be empty');
  else if (nodeName !== undefined) {
    given.push('`nodeName`');
    findings.subdomain(path.child('nodeName'), nodeName);
  }
  if (nodeSelector !== undefined) {
    given.push('`nodeSelector`');
    validateNodeSelector(nodeSelector, path.child('nodeSelector'), findings);
  }
  if (allNodes === true) given.push('`allNodes`');
  else if (allNodes === false)
    findings.invalid(path.child('allNodes'), false, 'must be either unset or set to true');
  const oneOf =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (given.length === 0) findings.required(path, oneOf);
  else if (given.length > 1) findings.invalid(path, `{${given.join(', ')}}`, oneOf);
}
