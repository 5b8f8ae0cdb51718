import { Event } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { validatePathSegment } from '../../shared/names.ts';
import { eventPrinter } from './printer.ts';
import { referenceFields } from './reference-fields.ts';
import { validateEvent } from './validation.ts';

export const event = defineKind(Event, {
  strategy: {
    allowCreateOnUpdate: true,
    defaultDeletion: 'no-garbage-collection',
    validateName: validatePathSegment,
    validatesMetadataLast: true,
  },
  validation: { create: (object, findings) => validateEvent(object, 'reportingComponent', findings) },
  anyFinalizers: true,
  printer: eventPrinter((object) => ({
    first: object.firstTimestamp,
    last: object.lastTimestamp,
    count: object.count,
    about: object.involvedObject,
    message: object.message,
    source: object.source,
    component: object.reportingComponent,
  })),
  selectableFields: {
    ...referenceFields('involvedObject', (object) => object.involvedObject),
    reason: ({ reason = '' }) => reason,
    type: ({ type = '' }) => type,
    reportingComponent: ({ reportingComponent = '' }) => reportingComponent,
    source: ({ source, reportingComponent = '' }) => source?.component || reportingComponent,
  },
});
