import type { PolicyRule } from '../rbac/policy-rule.ts';
import { allow } from './rule-text.ts';

/** Roles in one namespace, by namespace and name. */
export const NAMESPACE_ROLES: Readonly<Record<string, Readonly<Record<string, readonly PolicyRule[]>>>> = {
  'kube-public': {
    'system:controller:bootstrap-signer': [
      allow('get list watch', 'core', 'configmaps'),
      allow('update', 'core', 'configmaps', 'cluster-info'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
  'kube-system': {
    'extension-apiserver-authentication-reader': [
      allow('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication'),
    ],
    'system::leader-locking-kube-controller-manager': [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
    'system::leader-locking-kube-scheduler': [
      allow('create get list update watch', 'coordination.k8s.io', 'leases'),
      allow('create get list update watch', 'coordination.k8s.io', 'leasecandidates'),
    ],
    'system:controller:bootstrap-signer': [allow('get list watch', 'core', 'secrets')],
    'system:controller:cloud-provider': [allow('create get list watch', 'core', 'configmaps')],
    'system:controller:token-cleaner': [
      allow('delete get list watch', 'core', 'secrets'),
      allow('create patch update', 'core events.k8s.io', 'events'),
    ],
  },
};
