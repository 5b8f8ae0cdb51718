// Core events keep to older and looser rules than those of events.k8s.io. Both are checked in core form.
import { FieldPath, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Event } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const LIMITS = [
  ['reportingInstance', 128],
  ['action', 128],
  ['reason', 128],
  ['message', 1024],
] as const;

/** @param controllerField how the client calls the reporting component */
export function validateEvent(event: View<Event>, controllerField: string, findings: Findings): void {
  const namespace = event.metadata?.namespace ?? '';
  const involved = event.involvedObject?.namespace ?? '';
  const isOld = (event.eventTime ?? '') === '';
  const isForeign = isOld
    ? involved === ''
      ? namespace !== '' && namespace !== 'default'
      : namespace !== involved
    : involved === '' && namespace !== 'default' && namespace !== 'kube-system';
  if (isForeign)
    findings.invalid(FieldPath.of('involvedObject', 'namespace'), involved, 'does not match event.namespace');
  if (!isOld) validateNewFields(event, controllerField, findings);
  findings.problems(FieldPath.of('namespace'), namespace, validateDns1123Subdomain(namespace));
}

function validateNewFields(event: View<Event>, controllerField: string, findings: Findings): void {
  const { reportingComponent: controller = '' } = event;
  if (controller === '') findings.required(FieldPath.of(controllerField));
  findings.qualifiedName(FieldPath.of(controllerField), controller);
  for (const field of ['reportingInstance', 'action', 'reason'] as const)
    if ((event[field] ?? '') === '') findings.required(FieldPath.of(field));
  for (const [field, limit] of LIMITS)
    if (Buffer.byteLength(event[field] ?? '') > limit)
      findings.invalid(FieldPath.of(field), '', `can have at most ${limit} characters`);
}
