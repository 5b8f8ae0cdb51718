import { deepEqual } from '@windlass/apimachinery';
import { DaemonSet } from '@windlass/apimachinery/api/apps/v1';
import { defineKind } from '../../define-kind.ts';
import { setDaemonSetDefaults } from './defaults.ts';
import { daemonSetPrinter } from './printer.ts';
import { setTemplateGeneration, templateGenerationOf } from './template-generation.ts';
import { daemonSetValidation } from './validation.ts';

export const daemonSet = defineKind(DaemonSet, {
  strategy: {
    generation: 'spec',
    prepareForCreate: (draft) => setTemplateGeneration(draft, 1),
    prepareForUpdate(draft, old) {
      const before = templateGenerationOf(old);
      const isNew = !deepEqual(draft.spec?.template, old.spec?.template);
      setTemplateGeneration(draft, isNew ? before + 1 : before);
    },
  },
  defaults: setDaemonSetDefaults,
  validation: daemonSetValidation,
  printer: daemonSetPrinter,
});
