import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Event as CoreEvent } from '@windlass/apimachinery/api/core/v1';
import type { Event } from '@windlass/apimachinery/api/events/v1';
import type { View } from '../../../resource/views.ts';
import { validateEvent } from '../../core/event/validation.ts';
import type { ValidationOf } from '../../define-kind.ts';
import type { Findings } from '../../shared/findings.ts';
import { viewAsCore } from './conversion.ts';

/** As they are called in core form, and in errors where that differs. */
const FROZEN: readonly (readonly [field: keyof CoreEvent, name?: string])[] = [
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
  ['reportingComponent', 'reportingController'],
  ['reportingInstance'],
];

export const eventValidation: ValidationOf<Event> = {
  create(event, findings) {
    const core = viewAsCore(event);
    validateEvent(core, 'reportingController', findings);
    validateSeries(core, findings);
    if ((core.eventTime ?? '') === '') findings.required(FieldPath.of('eventTime'));
    const { type = '', source } = core;
    if (type !== 'Normal' && type !== 'Warning')
      findings.invalid(FieldPath.of('type'), '', `has invalid value: ${type}`);
    for (const field of ['firstTimestamp', 'lastTimestamp', 'count'] as const)
      if ((core[field] ?? 0) !== 0) findings.invalid(FieldPath.of(field), '', 'needs to be unset');
    if ((source?.component ?? '') !== '' || (source?.host ?? '') !== '')
      findings.invalid(FieldPath.of('source'), '', 'needs to be unset');
  },
  update(event, old, findings) {
    const [core, before] = [viewAsCore(event), viewAsCore(old)];
    validateEvent(core, 'reportingController', findings);
    if (!deepEqual(core.series, before.series)) validateSeries(core, findings);
    for (const [field, name = field] of FROZEN)
      findings.immutable(FieldPath.of(name), core[field], before[field]);
  },
};

function validateSeries({ series }: View<CoreEvent>, findings: Findings): void {
  if (series === undefined) return;
  if ((series.count ?? 0) < 2) findings.invalid(FieldPath.of('series.count'), '', 'should be at least 2');
  if ((series.lastObservedTime ?? '') === '') findings.required(FieldPath.of('series.lastObservedTime'));
}
