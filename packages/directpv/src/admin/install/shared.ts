import type { ClusterObjectMeta, ObjectMeta } from '@windlass/apimachinery';
import { GROUP, IDENTITY, LABELS, NAMESPACE, VERSION } from '../../resources/index.ts';

export const CONTROLLER_ACCOUNT = `${IDENTITY}-controller`;
export const NODE_ACCOUNT = `${IDENTITY}-node`;
/** Where the socket is in both pods. */
export const SOCKET_DIR = '/csi';

/** On everything that is installed, and so how it is found again. */
export const INSTALL_LABELS = {
  'application-name': GROUP,
  'application-type': 'CSIDriver',
  [LABELS.createdBy]: 'kubectl-directpv',
  [LABELS.version]: VERSION,
} as const;

export function clusterMeta(name: string): ClusterObjectMeta {
  return { name, labels: { ...INSTALL_LABELS } };
}

export function namespacedMeta(name: string): ObjectMeta {
  return { name, namespace: NAMESPACE, labels: { ...INSTALL_LABELS } };
}
