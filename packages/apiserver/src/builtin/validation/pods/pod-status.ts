import { FieldPath } from '@windlass/apimachinery';
import type { Stored } from '../../../resource/strategy.ts';
import { textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import { familyOf, validateIp } from '../addresses.ts';
import type { Findings } from '../findings.ts';

const STATUS = FieldPath.of('status');
const SYSTEM_CONDITIONS = new Set(['PodScheduled', 'Ready', 'Initialized']);

export function validatePodStatus(pod: Stored, old: Stored, findings: Findings): void {
  const [status, before] = [objectAt(pod, 'status') ?? {}, objectAt(old, 'status') ?? {}];
  for (const [index, condition] of objectsAt(status, 'conditions').entries()) {
    const type = textAt(condition, 'type');
    const at = STATUS.child('conditions').index(index);
    if (!SYSTEM_CONDITIONS.has(type)) findings.qualifiedName(at.child('Type'), type);
    const generation = condition['observedGeneration'];
    if (typeof generation === 'number' && generation < 0)
      findings.invalid(at.child('observedGeneration'), generation, 'must be a non-negative integer');
  }
  const nominated = textAt(status, 'nominatedNodeName');
  if (nominated !== '' && nominated !== textAt(before, 'nominatedNodeName')) {
    findings.subdomain(STATUS.child('nominatedNodeName'), nominated);
    if (textAt(objectAt(old, 'spec') ?? {}, 'nodeName') !== '')
      findings.forbidden(
        STATUS.child('nominatedNodeName'),
        'may not be set on pods that are already bound to a node',
      );
  }
  const generation = status['observedGeneration'];
  if (typeof generation === 'number' && generation < 0)
    findings.invalid(STATUS.child('observedGeneration'), generation, 'must be a non-negative integer');
  findings.immutable(STATUS.child('qosClass'), textAt(status, 'qosClass'), textAt(before, 'qosClass'));
  validateTransitions(pod, old, findings);
  const claims = new Set(
    objectsAt(objectAt(pod, 'spec'), 'resourceClaims').map((claim) => textAt(claim, 'name')),
  );
  for (const [index, claim] of objectsAt(status, 'resourceClaimStatuses').entries()) {
    const name = textAt(claim, 'name');
    if (!claims.has(name))
      findings.invalid(
        STATUS.child('resourceClaimStatuses').index(index).child('name'),
        name,
        'must match the name of an entry in `spec.resourceClaims`',
      );
  }
  validateAddresses(status, before, 'podIPs', findings);
  validateAddresses(status, before, 'hostIPs', findings);
}

/** What has ended stays ended, unless it is to be started again. */
function validateTransitions(pod: Stored, old: Stored, findings: Findings): void {
  const spec = objectAt(old, 'spec') ?? {};
  const policy = textAt(spec, 'restartPolicy');
  for (const [field, list] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
    ['ephemeralContainerStatuses', undefined],
  ] as const) {
    const now = objectsAt(objectAt(pod, 'status'), field);
    for (const [index, before] of objectsAt(objectAt(old, 'status'), field).entries()) {
      const terminated = objectAt(objectAt(before, 'state'), 'terminated');
      const next = now.find((status) => textAt(status, 'name') === textAt(before, 'name'));
      if (terminated === undefined || next === undefined) continue;
      if (objectAt(objectAt(next, 'state'), 'terminated') !== undefined) continue;
      const container =
        list === undefined
          ? undefined
          : objectsAt(spec, list).find((other) => textAt(other, 'name') === textAt(before, 'name'));
      if (list === undefined || !isRestarted(container, policy, Number(terminated['exitCode'] ?? 0)))
        findings.forbidden(
          STATUS.child(field).index(index).child('state'),
          'may not be transitioned to non-terminated state',
        );
    }
  }
}

function isRestarted(container: Fields | undefined, podPolicy: string, exitCode: number): boolean {
  if (container === undefined) return false;
  const policy = textAt(container, 'restartPolicy', podPolicy);
  return policy === 'Always' || (policy === 'OnFailure' && exitCode !== 0);
}

function validateAddresses(
  status: Fields,
  before: Fields,
  field: 'podIPs' | 'hostIPs',
  findings: Findings,
): void {
  const addresses = objectsAt(status, field).map((entry) => textAt(entry, 'ip'));
  const known = new Set(objectsAt(before, field).map((entry) => textAt(entry, 'ip')));
  const path = STATUS.child(field);
  for (const [index, address] of addresses.entries())
    if (!known.has(address)) validateIp(findings, path.index(index), address);
  if (addresses.length < 2) return;
  const families = new Set(addresses.map(familyOf));
  if (families.size < 2 || addresses.length > 2)
    findings.invalid(path, objectsAt(status, field), 'may specify no more than one IP for each IP family');
  for (const [index, address] of addresses.entries())
    if (addresses.indexOf(address) < index) findings.duplicate(path.index(index), { ip: address });
}
