import { deepEqual } from '@windlass/apimachinery';
import { Deployment } from '@windlass/apimachinery/api/apps/v1';
import { defineKind } from '../../define-kind.ts';
import { setDeploymentDefaults } from './defaults.ts';
import { deploymentPrinter } from './printer.ts';
import { deploymentValidation } from './validation.ts';

export const deployment = defineKind(Deployment, {
  strategy: {
    generation: (object, old) =>
      !deepEqual(object.spec, old.spec) ||
      !deepEqual(object.metadata?.annotations, old.metadata?.annotations),
  },
  defaults: setDeploymentDefaults,
  validation: deploymentValidation,
  printer: deploymentPrinter,
});
