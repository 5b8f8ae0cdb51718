import { formatTime, validatePathSegmentName } from '@windlass/apimachinery';
import { APIService } from '@windlass/apimachinery/api/apiregistration/v1';
import { defineKind } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, conditionOf, printer } from '../../shared/columns.ts';
import { apiServiceValidation } from './validation.ts';

const DEFAULT_PORT = 443;

export const apiService = defineKind(APIService, {
  strategy: {
    allowUnconditionalUpdate: false,
    validateName: validatePathSegmentName,
    // What this server serves itself needs no check.
    prepareForCreate(draft, { clock }) {
      if (draft.spec?.service !== undefined) return;
      draft.status = {
        conditions: [
          {
            type: 'Available',
            status: 'True',
            lastTransitionTime: formatTime(clock.now()),
            reason: 'Local',
            message: 'Local APIServices are always available',
          },
        ],
      };
    },
  },
  defaults({ spec }) {
    if (spec?.service !== undefined) spec.service.port ??= DEFAULT_PORT;
  },
  validation: apiServiceValidation,
  printer: printer([column('Service'), column('Available'), AGE_COLUMN], (object, now) => {
    const service = object.spec?.service;
    const available = conditionOf(object.status?.conditions, 'Available');
    const state = available?.status || 'Unknown';
    return [
      service === undefined ? 'Local' : `${service.namespace ?? ''}/${service.name ?? ''}`,
      available === undefined || state === 'True' ? state : `${state} (${available.reason ?? ''})`,
      ageOf(object, now),
    ];
  }),
});
