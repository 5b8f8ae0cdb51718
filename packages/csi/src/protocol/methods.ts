import { table } from '../generated/csi-table.ts';
import { methodsOf } from '../grpc/service.ts';

/** How the three services of CSI stand on the wire. */
export const CSI_METHODS = {
  identity: methodsOf(table, 'Identity'),
  controller: methodsOf(table, 'Controller'),
  node: methodsOf(table, 'Node'),
} as const;
