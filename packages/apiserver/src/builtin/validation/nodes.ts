import {
  deepEqual,
  FieldPath,
  fieldDuplicate,
  fieldInternalError,
  validateLabelValue,
} from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { textAt, textsAt } from '../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import { familyOf, parseBlock, validateBlock } from './addresses.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { validateResourceQuantity } from './resource-names.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
// That is where upstream says they are.
const TAINTS = FieldPath.of('metadata', 'taints');
const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const FEATURE = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z0-9]+)*$/;

export const nodeValidations: ValidationsByKind = {
  '/v1/Node': {
    create: validateNode,
    update(node, old, findings) {
      validateNode(node, findings);
      validateNodeUpdate(node, old, findings);
    },
    status: validateNodeUpdate,
  },
};

function validateNode(node: Stored, findings: Findings): void {
  const spec = objectAt(node, 'spec') ?? {};
  validateTaints(objectsAt(spec, 'taints'), TAINTS, findings);
  validateResources(node, findings);
  validateFeatures(node, findings);
  validatePodBlocks(textsAt(spec, 'podCIDRs'), findings);
}

function validatePodBlocks(blocks: readonly string[], findings: Findings): void {
  const path = SPEC.child('podCIDRs');
  for (const [index, block] of blocks.entries()) validateBlock(findings, path.index(index), block);
  if (blocks.length < 2) return;
  const families = new Set(blocks.map((block) => familyOf(block.split('/')[0] ?? '')));
  const unknown = blocks.findIndex((block) => parseBlock(block) === undefined);
  if (unknown !== -1) {
    const why = `invalid CIDR[${unknown}]: <nil> (invalid CIDR address: ${blocks[unknown] ?? ''})`;
    const error = new Error(`invalid PodCIDRs. failed to check with dual stack with error:${why}`);
    findings.add([fieldInternalError(path, error)]);
  }
  if (unknown !== -1 || families.size < 2 || blocks.length > 2)
    findings.invalid(path, blocks, 'may specify no more than one CIDR for each IP family');
}

function validateTaints(taints: readonly Fields[], path: FieldPath, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, taint] of taints.entries()) {
    const at = path.index(index);
    const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
    findings.qualifiedName(at.child('key'), key);
    const problems = validateLabelValue(value);
    if (problems.length > 0) findings.invalid(at.child('value'), value, problems.join(';'));
    if (effect === '') findings.required(at.child('effect'));
    else findings.oneOf(at.child('effect'), effect, TAINT_EFFECTS);
    if (seen.has(`${key}:${effect}`))
      findings.add([
        { ...fieldDuplicate(at, taint), detail: 'taints must be unique by key and effect pair' },
      ]);
    seen.add(`${key}:${effect}`);
  }
}

function validateResources(node: Stored, findings: Findings): void {
  for (const field of ['capacity', 'allocatable'])
    for (const [name, value] of Object.entries(objectAt(objectAt(node, 'status'), field) ?? {}))
      validateResourceQuantity(name, value, STATUS.child(field, name), findings);
}

function validateFeatures(node: Stored, findings: Findings): void {
  const features = textsAt(objectAt(node, 'status'), 'declaredFeatures');
  const path = STATUS.child('declaredFeatures');
  for (const [index, feature] of features.entries()) {
    if (!FEATURE.test(feature))
      findings.invalid(
        path.index(index),
        feature,
        `invalid feature name ${JSON.stringify(feature)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`,
      );
    const next = features[index + 1];
    if (next === feature) findings.duplicate(path.index(index + 1), next);
    else if (next !== undefined && feature > next)
      findings.invalid(path.index(index + 1), next, 'list must be sorted alphabetically');
  }
}

function validateNodeUpdate(node: Stored, old: Stored, findings: Findings): void {
  const [spec, before] = [objectAt(node, 'spec') ?? {}, objectAt(old, 'spec') ?? {}];
  validateResources(node, findings);
  validateFeatures(node, findings);
  const addresses = objectsAt(objectAt(node, 'status'), 'addresses');
  for (const [index, address] of addresses.entries())
    if (addresses.findIndex((other) => deepEqual(other, address)) < index)
      findings.duplicate(STATUS.child('addresses').index(index), address);
  const [now, then] = [textsAt(spec, 'podCIDRs'), textsAt(before, 'podCIDRs')];
  const frozen = 'node updates may not change podCIDR except from "" to valid';
  if (then.length > 0) {
    if (now.length !== then.length) findings.forbidden(SPEC.child('podCIDRs'), frozen);
    else
      for (const [index, block] of then.entries())
        if (now[index] !== block) findings.forbidden(SPEC.child('podCIDRs'), frozen);
  }
  const provider = textAt(before, 'providerID');
  if (provider !== '' && textAt(spec, 'providerID') !== provider)
    findings.forbidden(
      SPEC.child('providerID'),
      'node updates may not change providerID except from "" to valid',
    );
  validateTaints(objectsAt(spec, 'taints'), TAINTS, findings);
  if (textAt(spec, 'externalID') !== textAt(before, 'externalID'))
    findings.forbidden(SPEC.child('externalID'), 'may not be updated');
}
