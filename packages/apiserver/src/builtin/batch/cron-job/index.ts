import { CronJob } from '@windlass/apimachinery/api/batch/v1';
import { setTemplateDefaults } from '../../core/pod-spec/defaults.ts';
import { defineKind } from '../../define-kind.ts';
import { cronJobPrinter } from './printer.ts';
import { cronJobValidation } from './validation.ts';

export const cronJob = defineKind(CronJob, {
  strategy: { generation: 'spec' },
  defaults(draft) {
    draft.spec ??= {};
    const { spec } = draft;
    spec.concurrencyPolicy ||= 'Allow';
    spec.suspend ??= false;
    spec.successfulJobsHistoryLimit ??= 3;
    spec.failedJobsHistoryLimit ??= 1;
    setTemplateDefaults(spec.jobTemplate?.spec?.template);
  },
  validation: cronJobValidation,
  printer: cronJobPrinter,
});
