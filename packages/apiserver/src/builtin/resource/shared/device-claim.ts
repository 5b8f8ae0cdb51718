import type { FieldPath } from '@windlass/apimachinery';
import type {
  DeviceClaim,
  DeviceConstraint,
  DeviceRequest,
  DeviceSubRequest,
} from '@windlass/apimachinery/api/resource/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { MAX_ALTERNATIVES, MAX_CONFIGS, MAX_CONSTRAINTS, MAX_REQUESTS } from '../limits.ts';
import { validateConfiguration } from './configuration.ts';
import { validateItems, validateSet } from './lists.ts';
import { validateFullyQualifiedName } from './names.ts';
import { type RequestNames, requestNamesOf, validateRequestReferences } from './request-names.ts';
import { validateSelectors } from './selectors.ts';
import { validateDeviceTolerations } from './taints.ts';

/** What a claim asks for; the same in a template of claims. */
export function validateDeviceClaim(claim: View<DeviceClaim>, path: FieldPath, findings: Findings): void {
  const names = requestNamesOf(claim);
  validateSet(
    claim.requests ?? [],
    MAX_REQUESTS,
    path.child('requests'),
    findings,
    ({ name = '' }) => name,
    (request, at) => validateRequest(request, at, findings),
  );
  validateItems(claim.constraints ?? [], MAX_CONSTRAINTS, path.child('constraints'), findings, (item, at) =>
    validateConstraint(item, names, at, findings),
  );
  validateItems(claim.config ?? [], MAX_CONFIGS, path.child('config'), findings, (config, at) => {
    validateRequestReferences(config.requests ?? [], names, at.child('requests'), findings);
    validateConfiguration(config, at, findings);
  });
}

function validateRequest(request: View<DeviceRequest>, path: FieldPath, findings: Findings): void {
  const { name = '', exactly, firstAvailable } = request;
  const alternatives = firstAvailable ?? [];
  findings.label(path.child('name'), name);
  const oneOf = 'exactly one of `exactly` or `firstAvailable` is required';
  if (exactly === undefined && alternatives.length === 0) findings.required(path, oneOf);
  else if (exactly !== undefined && alternatives.length > 0)
    findings.invalid(path, null, `${oneOf}, but multiple fields are set`);
  else if (exactly !== undefined) validateExact(exactly, path.child('exactly'), findings);
  else
    validateSet(
      alternatives,
      MAX_ALTERNATIVES,
      path.child('firstAvailable'),
      findings,
      (alternative) => alternative.name ?? '',
      (alternative, at) => {
        findings.label(at.child('name'), alternative.name ?? '');
        validateExact(alternative, at, findings);
      },
    );
}

/** What an exact request and an alternative have in common. */
function validateExact(
  request: Omit<View<DeviceSubRequest>, 'name'>,
  path: FieldPath,
  findings: Findings,
): void {
  const { deviceClassName = '', selectors, allocationMode = '', count = 0, tolerations } = request;
  if (deviceClassName === '') findings.required(path.child('deviceClassName'));
  else findings.subdomain(path.child('deviceClassName'), deviceClassName);
  validateSelectors(selectors ?? [], path.child('selectors'), findings);
  if (allocationMode === 'All') {
    if (count !== 0)
      findings.invalid(path.child('count'), count, "must not be specified when allocationMode is 'All'");
  } else if (allocationMode === 'ExactCount') {
    if (count <= 0) findings.invalid(path.child('count'), count, 'must be greater than zero');
  } else findings.notSupported(path.child('allocationMode'), allocationMode, ['All', 'ExactCount']);
  validateDeviceTolerations(tolerations ?? [], path.child('tolerations'), findings);
}

function validateConstraint(
  { requests, matchAttribute, distinctAttribute }: View<DeviceConstraint>,
  names: RequestNames,
  path: FieldPath,
  findings: Findings,
): void {
  validateRequestReferences(requests ?? [], names, path.child('requests'), findings);
  if (matchAttribute !== undefined)
    validateFullyQualifiedName(matchAttribute, path.child('matchAttribute'), findings);
  else if (distinctAttribute !== undefined)
    validateFullyQualifiedName(distinctAttribute, path.child('distinctAttribute'), findings);
  else
    findings.required(
      path,
      'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set',
    );
}
