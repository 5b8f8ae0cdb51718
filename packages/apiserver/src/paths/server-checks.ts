import type { DefinitionController } from '../definitions/definition-controller.ts';
import type { Store } from '../storage/store.ts';
import type { HealthCheck } from './health.ts';

/**
 * The steps of the start, under upstream's names, by which probes and dashboards ask for them. Nothing is served before
 * all of them are done, so who asks finds them well.
 */
const STEPS: readonly string[] = [
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-readiness',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];

/** What the API server's health is made of. */
export function serverChecks(store: Store, definitions: DefinitionController): readonly HealthCheck[] {
  // Scripts that know Kubernetes ask for `etcd`, whatever it is.
  const storage = { name: 'etcd', alias: 'storage' };
  const isWell = (): undefined => undefined;
  return [
    { name: 'ping', check: isWell },
    { name: 'log', check: isWell },
    { ...storage, endpoints: ['healthz', 'readyz'], check: () => store.problem() },
    // A start helps against a thread that has died, and not against a full disk.
    { ...storage, endpoints: ['livez'], check: () => store.failure?.message },
    { name: 'etcd-readiness', endpoints: ['readyz'], check: () => store.problem() },
    { name: 'informer-sync', endpoints: ['readyz'], check: () => definitions.problem },
    ...STEPS.map((name) => ({ name, check: isWell })),
    { name: 'shutdown', endpoints: ['readyz'], check: isWell },
  ];
}
