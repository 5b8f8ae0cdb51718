import type { ReplicationController } from '@windlass/apimachinery/api/core/v1';
import type { PrinterOf } from '../../define-kind.ts';
import { labelsText, printer } from '../../shared/columns.ts';
import { REPLICA_COLUMNS, replicaCells } from '../pod-spec/replica-columns.ts';

export const replicationControllerPrinter: PrinterOf<ReplicationController> = printer(
  REPLICA_COLUMNS,
  (object, now) => [...replicaCells(object, now), labelsText(object.spec?.selector)],
);
