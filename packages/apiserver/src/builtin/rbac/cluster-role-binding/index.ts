import { ClusterRoleBinding } from '@windlass/apimachinery/api/rbac/v1';
import { defineKind } from '../../define-kind.ts';
import { setBindingDefaults } from '../binding-defaults.ts';
import { bindingPrinter } from '../binding-printer.ts';
import { bindingValidation } from '../binding-validation.ts';
import { rbacStrategy } from '../strategy.ts';

export const clusterRoleBinding = defineKind(ClusterRoleBinding, {
  strategy: rbacStrategy,
  defaults: setBindingDefaults,
  validation: bindingValidation({ isNamespaced: false }),
  printer: bindingPrinter,
});
