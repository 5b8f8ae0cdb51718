import { methodsOf } from '@windlass/grpc';
import { table } from '../generated/csi-table.ts';

/** How the three services of CSI stand on the wire. */
export const CSI_METHODS = {
  identity: methodsOf(table, 'Identity'),
  controller: methodsOf(table, 'Controller'),
  node: methodsOf(table, 'Node'),
} as const;
