import { validateSubdomainName } from '@windlass/apimachinery';
import { ReplicationController } from '@windlass/apimachinery/api/core/v1';
import { defineKind } from '../../define-kind.ts';
import { setReplicationControllerDefaults } from './defaults.ts';
import { replicationControllerPrinter } from './printer.ts';
import { replicationControllerValidation } from './validation.ts';

export const replicationController = defineKind(ReplicationController, {
  strategy: {
    // Its name is checked by rules that upstream generates, which count otherwise.
    validateName: (...given) =>
      validateSubdomainName(...given).map((problem) =>
        problem.replace(/^(must be no more than \d+) characters$/, '$1 bytes'),
      ),
    generation: 'spec',
    defaultDeletion: 'orphan-dependents',
  },
  defaults: setReplicationControllerDefaults,
  validation: replicationControllerValidation,
  printer: replicationControllerPrinter,
  selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
});
