import { Node } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { setNodeDefaults } from './defaults.ts';
import { nodePrinter } from './printer.ts';
import { nodeValidation } from './validation.ts';

export const node = defineKind(Node, ({ connect }) => ({
  strategy: {
    keepsStatusOnCreate: true,
    // Nodes were once configured from within the cluster.
    prepareForCreate: (draft) => void delete draft.spec?.configSource,
    prepareForUpdate(draft, old) {
      if (old.spec?.configSource === undefined) delete draft.spec?.configSource;
    },
    prepareForStatusUpdate(draft, old) {
      if (old.status?.config === undefined) delete draft.status?.config;
    },
  },
  defaults: setNodeDefaults,
  validation: nodeValidation,
  printer: nodePrinter,
  selectableFields: { 'spec.unschedulable': ({ spec }) => String(spec?.unschedulable ?? false) },
  subresources: { ...connect?.nodes },
}));
