import { BOOTSTRAP_TOKEN_NAMESPACE, BOOTSTRAP_TOKEN_TYPE } from '@windlass/apimachinery';

/** The ConfigMap by which machines find the cluster before they have credentials for it. */
export const CLUSTER_INFO = Object.freeze({ namespace: 'kube-public', name: 'cluster-info' });

/** Other secrets are none of our business, and are not kept in memory. */
export const TOKEN_SECRETS = Object.freeze({
  namespace: BOOTSTRAP_TOKEN_NAMESPACE,
  fieldSelector: `type=${BOOTSTRAP_TOKEN_TYPE}`,
});
