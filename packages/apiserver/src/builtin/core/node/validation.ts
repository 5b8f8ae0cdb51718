import { encodeJson, FieldPath } from '@windlass/apimachinery';
import type { Node, NodeSpec } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateResourceQuantity } from '../../shared/resource-names.ts';
import { validatePodBlocks, validatePodBlocksUpdate } from './pod-blocks.ts';
import { validateTaints } from './taints.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const FEATURE = /^[A-Z][A-Za-z0-9]*(?:\/[A-Za-z0-9]+)*$/;

export const nodeValidation: ValidationOf<Node> = {
  create: validateNode,
  update(node, old, findings) {
    validateNode(node, findings);
    validateNodeUpdate(node, old, findings);
  },
  status: validateNodeUpdate,
};

function validateNode(node: View<Node>, findings: Findings): void {
  validateTaints(node.spec?.taints ?? [], findings);
  validateResources(node, findings);
  validateSwap(node, findings);
  validateFeatures(node, findings);
  validatePodBlocks(node.spec?.podCIDRs ?? [], findings);
}

function validateResources({ status }: View<Node>, findings: Findings): void {
  for (const field of ['capacity', 'allocatable'] as const)
    for (const [name, value] of Object.entries(status?.[field] ?? {}))
      validateResourceQuantity(name, value, STATUS.child(field, name), findings);
}

function validateSwap({ status }: View<Node>, findings: Findings): void {
  const capacity = status?.nodeInfo?.swap?.capacity;
  // Upstream names a field of the metadata that there is not.
  if (capacity !== undefined && capacity <= 0)
    findings.invalid(
      FieldPath.of('metadata', 'nodeSwapStatus', 'capacity'),
      capacity,
      'must be greater than zero',
    );
}

function validateFeatures({ status }: View<Node>, findings: Findings): void {
  const features = status?.declaredFeatures ?? [];
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

function validateNodeUpdate(node: View<Node>, old: View<Node>, findings: Findings): void {
  validateResources(node, findings);
  validateFeatures(node, findings);
  validateAddresses(node, findings);
  validateSpecUpdate(node.spec ?? {}, old.spec ?? {}, findings);
}

function validateAddresses({ status }: View<Node>, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, address] of (status?.addresses ?? []).entries()) {
    const text = encodeJson(address, { stable: true });
    if (seen.has(text)) findings.duplicate(STATUS.child('addresses').index(index), address);
    seen.add(text);
  }
}

function validateSpecUpdate(spec: View<NodeSpec>, old: View<NodeSpec>, findings: Findings): void {
  validatePodBlocksUpdate(spec.podCIDRs ?? [], old.podCIDRs ?? [], findings);
  const { providerID: provider = '' } = old;
  if (provider !== '' && spec.providerID !== provider)
    findings.forbidden(
      SPEC.child('providerID'),
      'node updates may not change providerID except from "" to valid',
    );
  validateTaints(spec.taints ?? [], findings);
  if ((spec.externalID ?? '') !== (old.externalID ?? ''))
    findings.forbidden(SPEC.child('externalID'), 'may not be updated');
}
