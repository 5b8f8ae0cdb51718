import { deepEqual, FieldPath, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Draft, Stored } from '../../resource/strategy.ts';
import { eventToCore } from '../events/conversion.ts';
import { textAt } from '../printers/columns.ts';
import { objectAt } from '../values.ts';
import type { Findings } from './findings.ts';
import type { ValidationsByKind } from './kind-validation.ts';

const LIMITS = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const;

/** Core events keep to older and looser rules. Both are checked in core form. */
export const eventValidations: ValidationsByKind = {
  '/v1/Event': {
    create: (event, findings) => validateEvent(event, 'reportingComponent', findings),
  },
  'events.k8s.io/v1/Event': {
    create(event, findings) {
      const core = toCore(event);
      validateEvent(core, 'reportingController', findings);
      validateSeries(core, findings);
      if (textAt(core, 'eventTime') === '') findings.required(FieldPath.of('eventTime'));
      const type = textAt(core, 'type');
      if (type !== 'Normal' && type !== 'Warning')
        findings.invalid(FieldPath.of('type'), '', `has invalid value: ${type}`);
      for (const field of ['firstTimestamp', 'lastTimestamp', 'count'])
        if (core[field] !== undefined && core[field] !== null && core[field] !== 0)
          findings.invalid(FieldPath.of(field), '', 'needs to be unset');
      const source = objectAt(core, 'source') ?? {};
      if (textAt(source, 'component') !== '' || textAt(source, 'host') !== '')
        findings.invalid(FieldPath.of('source'), '', 'needs to be unset');
    },
    update(event, old, findings) {
      const [core, before] = [toCore(event), toCore(old)];
      validateEvent(core, 'reportingController', findings);
      if (!deepEqual(core['series'], before['series'])) validateSeries(core, findings);
      for (const [name, field = name] of FROZEN)
        findings.immutable(FieldPath.of(name), core[field], before[field]);
    },
  },
};

/** As a client calls them, and as they are called in core form where that differs. */
const FROZEN: readonly (readonly [name: string, field?: string])[] = [
  ['involvedObject'],
  ['reason'],
  ['message'],
  ['source'],
  ['firstTimestamp'],
  ['lastTimestamp'],
  ['count'],
  ['type'],
  ['eventTime'],
  ['action'],
  ['related'],
  ['reportingController', 'reportingComponent'],
  ['reportingInstance'],
];

/** Nothing of the object itself is changed. */
function toCore(event: Stored): Stored {
  return eventToCore(structuredClone(event) as Draft);
}

function validateSeries(event: Stored, findings: Findings): void {
  const series = objectAt(event, 'series');
  if (series === undefined) return;
  if (Number(series['count'] ?? 0) < 2)
    findings.invalid(FieldPath.of('series.count'), '', 'should be at least 2');
  if (textAt(series, 'lastObservedTime') === '') findings.required(FieldPath.of('series.lastObservedTime'));
}

function validateEvent(event: Stored, controllerField: string, findings: Findings): void {
  const namespace = event.metadata?.namespace ?? '';
  const involved = textAt(objectAt(event, 'involvedObject') ?? {}, 'namespace');
  const isForeign =
    textAt(event, 'eventTime') === ''
      ? involved === ''
        ? namespace !== '' && namespace !== 'default'
        : namespace !== involved
      : involved === '' && namespace !== 'default' && namespace !== 'kube-system';
  if (isForeign)
    findings.invalid(FieldPath.of('involvedObject', 'namespace'), involved, 'does not match event.namespace');
  if (textAt(event, 'eventTime') !== '') validateNewFields(event, controllerField, findings);
  findings.problems(FieldPath.of('namespace'), namespace, validateDns1123Subdomain(namespace));
}

function validateNewFields(event: Stored, controllerField: string, findings: Findings): void {
  const controller = textAt(event, 'reportingComponent');
  if (controller === '') findings.required(FieldPath.of(controllerField));
  findings.qualifiedName(FieldPath.of(controllerField), controller);
  for (const field of ['reportingInstance', 'action', 'reason'] as const)
    if (textAt(event, field) === '') findings.required(FieldPath.of(field));
  for (const [field, limit] of Object.entries(LIMITS))
    if (Buffer.byteLength(textAt(event, field)) > limit)
      findings.invalid(FieldPath.of(field), '', `can have at most ${limit} characters`);
}
