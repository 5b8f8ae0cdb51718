import { Event as CoreEvent } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { eventPrinter } from '../../core/event/printer.ts';
import { referenceFields } from '../../core/event/reference-fields.ts';
import { defineKind, storedAs } from '../../define-kind.ts';
import { eventFromCore, eventToCore } from './conversion.ts';
import { eventValidation } from './validation.ts';

export const event = defineKind(Event, {
  strategy: { allowCreateOnUpdate: true, defaultDeletion: 'no-garbage-collection' },
  validation: eventValidation,
  anyFinalizers: true,
  printer: eventPrinter((object) => ({
    first: object.deprecatedFirstTimestamp,
    last: object.deprecatedLastTimestamp,
    count: object.deprecatedCount,
    about: object.regarding,
    message: object.note,
    source: object.deprecatedSource,
    component: object.reportingController,
  })),
  selectableFields: {
    ...referenceFields('regarding', (object) => object.regarding),
    reason: ({ reason = '' }) => reason,
    type: ({ type = '' }) => type,
    reportingController: ({ reportingController = '' }) => reportingController,
  },
  storage: storedAs(CoreEvent, { fromStorage: eventFromCore, toStorage: eventToCore }),
});
