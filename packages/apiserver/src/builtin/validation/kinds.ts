import { accessValidations } from './access.ts';
import { autoscalerValidations } from './autoscaler.ts';
import { claimValidations } from './claims.ts';
import { dataValidations } from './data.ts';
import { endpointValidations } from './endpoints.ts';
import { eventValidations } from './events.ts';
import { jobValidations } from './jobs.ts';
import type { ValidationsByKind } from './kind-validation.ts';
import { namespaceValidations } from './namespaces.ts';
import { networkingValidations } from './networking.ts';
import { nodeValidations } from './nodes.ts';
import { volumeValidations } from './persistent-volumes.ts';
import { podValidations } from './pods/pods.ts';
import { policyValidations } from './policies.ts';
import { quotaValidations } from './quotas.ts';
import { runtimeClassValidations } from './runtime-classes.ts';
import { serviceValidations } from './services.ts';
import { storageValidations } from './storage.ts';
import { workloadValidations } from './workloads.ts';

/** The kinds whose every rule is known here. Of others only their schema is checked. */
export const builtinValidations: ValidationsByKind = {
  ...accessValidations,
  ...autoscalerValidations,
  ...claimValidations,
  ...dataValidations,
  ...endpointValidations,
  ...eventValidations,
  ...jobValidations,
  ...namespaceValidations,
  ...networkingValidations,
  ...nodeValidations,
  ...volumeValidations,
  ...podValidations,
  ...policyValidations,
  ...quotaValidations,
  ...runtimeClassValidations,
  ...serviceValidations,
  ...storageValidations,
  ...workloadValidations,
  '/v1/ServiceAccount': { create: () => {} },
};
