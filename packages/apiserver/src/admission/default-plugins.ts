import type { Clock, Logger, Random } from '@windlass/base';
import type { Authorizer } from '../access/authorizer.ts';
import type { RuleSource } from '../access/rbac/rbac-authorizer.ts';
import type { RbacIndex } from '../access/rbac/rbac-index.ts';
import type { LocalWebhooks } from '../exchange/post-review.ts';
import type { Catalog } from '../resource/catalog.ts';
import type { Store } from '../storage/store.ts';
import type { AdmissionPlugin } from './admission.ts';
import { mutatingPolicies } from './mutations/mutating-policies.ts';
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
} from './plugins/certificates.ts';
import { defaultIngressClass } from './plugins/default-ingress-class.ts';
import { defaultStorageClass } from './plugins/default-storage-class.ts';
import { defaultTolerationSeconds } from './plugins/default-toleration-seconds.ts';
import { deviceAdminAccess } from './plugins/device-admin-access.ts';
import { limitRanger } from './plugins/limit-ranger.ts';
import { namespaceLifecycle } from './plugins/namespace-lifecycle.ts';
import { nodeRestriction } from './plugins/node-restriction.ts';
import { claimResize } from './plugins/persistent-volume-claim-resize.ts';
import { priority } from './plugins/priority.ts';
import { rbacEscalation } from './plugins/rbac-escalation.ts';
import { resourceClaimStatus } from './plugins/resource-claim-status.ts';
import { resourceQuota } from './plugins/resource-quota.ts';
import { runtimeClass } from './plugins/runtime-class.ts';
import { serviceAccount } from './plugins/service-account.ts';
import { storageObjectInUse } from './plugins/storage-object-in-use.ts';
import { taintNodes } from './plugins/taint-nodes.ts';
import { podSecurity } from './pod-security/pod-security.ts';
import { validatingPolicies } from './policies/validating-policies.ts';
import { mutatingWebhooks, validatingWebhooks } from './webhooks/webhook-plugins.ts';

/** What plugins work with. */
export interface PluginServices {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly authorizer: Authorizer;
  readonly rules: RuleSource;
  readonly rbac: RbacIndex;
  readonly localWebhooks: LocalWebhooks | undefined;
}

/** In Kubernetes' order. Quota is last, so that it charges only what everything else has let pass. */
export function defaultPlugins(services: PluginServices): AdmissionPlugin[] {
  return [
    namespaceLifecycle(services),
    rbacEscalation(services),
    limitRanger(services),
    serviceAccount(services),
    nodeRestriction(services),
    taintNodes,
    podSecurity(services),
    priority(services),
    defaultTolerationSeconds,
    defaultStorageClass(services),
    storageObjectInUse,
    claimResize(services),
    runtimeClass(services),
    certificateApproval(services),
    certificateSigning(services),
    certificateSubjectRestriction,
    defaultIngressClass(services),
    deviceAdminAccess(services),
    resourceClaimStatus(services),
    mutatingPolicies(services),
    mutatingWebhooks(services),
    validatingPolicies(services),
    validatingWebhooks(services),
    resourceQuota(services),
  ];
}
