import type { Access } from './access.ts';

/** What the webhooks of a program keep right, by name. */
export interface WebhookNames {
  readonly validating?: readonly string[];
  readonly mutating?: readonly string[];
  /** CustomResourceDefinitions with a conversion webhook. */
  readonly conversion?: readonly string[];
  /** The Secret with the certificates, in the program's own namespace. */
  readonly secret: string;
}

export interface RuntimeNeeds {
  /** Where the program runs. */
  readonly namespace: string;
  readonly webhooks?: WebhookNames;
}

/**
 * What every program needs beside what its reconcilers ask for, although a test may never come to it: leader election,
 * events, and the authority in the configurations of its webhooks.
 */
export function runtimeAccesses({ namespace, webhooks }: RuntimeNeeds): Access[] {
  const always: Access[] = [
    { group: 'coordination.k8s.io', resource: 'leases', namespace, verbs: ['create', 'get', 'update'] },
    { group: 'events.k8s.io', resource: 'events', namespace: undefined, verbs: ['create', 'patch'] },
  ];
  if (webhooks === undefined) return always;
  const { validating = [], mutating = [], conversion = [], secret } = webhooks;
  const kept = (group: string, resource: string, names: readonly string[]): Access[] =>
    names.map((name) => ({
      group,
      resource,
      namespace: undefined,
      name,
      verbs: ['get', 'list', 'update', 'watch'],
    }));
  const secrets = { group: '', resource: 'secrets', namespace };
  return [
    ...always,
    ...kept('admissionregistration.k8s.io', 'validatingwebhookconfigurations', validating),
    ...kept('admissionregistration.k8s.io', 'mutatingwebhookconfigurations', mutating),
    ...kept('apiextensions.k8s.io', 'customresourcedefinitions', conversion),
    // A name that does not exist yet cannot be allowed alone.
    { ...secrets, verbs: ['create'] },
    { ...secrets, name: secret, verbs: ['get', 'update'] },
  ];
}
