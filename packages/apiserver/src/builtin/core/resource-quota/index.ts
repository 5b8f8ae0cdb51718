import { ResourceQuota } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { roundResources } from '../resource-lists.ts';
import { quotaPrinter } from './printer.ts';
import { quotaValidation } from './validation.ts';

export const resourceQuota = defineKind(ResourceQuota, {
  strategy: { returnsDeletedObject: true },
  defaults({ spec, status }) {
    roundResources(spec, 'hard');
    roundResources(status, 'hard', 'used');
  },
  validation: quotaValidation,
  printer: quotaPrinter,
});
