import type { Manager } from '@windlass/runtime';
import { AttachDetachController } from './attach-detach/attach-detach-controller.ts';
import {
  addCertificateApproving,
  addCertificateCleaner,
  addCertificateSigning,
} from './certificates/certificate-controllers.ts';
import { addClusterRoleAggregation } from './cluster-role-aggregation/cluster-role-aggregation.ts';
import type { ControllerOptions, SigningAuthority } from './controller-options.ts';
import { CronJobController } from './cronjob/cron-job-controller.ts';
import { DaemonSetController } from './daemonset/daemon-set-controller.ts';
import { DeploymentController } from './deployment/deployment-controller.ts';
import { DisruptionController } from './disruption/disruption-controller.ts';
import { EndpointsController } from './endpoints/endpoints-controller.ts';
import { EndpointSliceController } from './endpointslice/endpoint-slice-controller.ts';
import { EndpointSliceMirroringController } from './endpointslicemirroring/endpoint-slice-mirroring-controller.ts';
import { addEphemeralVolumes } from './ephemeral-volume/ephemeral-volume-controller.ts';
import { UnknownControllerError } from './errors.ts';
import { GarbageCollector } from './garbage-collector/garbage-collector.ts';
import type { AutoscalerOptions } from './horizontal-pod-autoscaler/autoscaler-options.ts';
import { HorizontalPodAutoscalerController } from './horizontal-pod-autoscaler/horizontal-pod-autoscaler-controller.ts';
import { JobController } from './job/job-controller.ts';
import { NamespaceController } from './namespace/namespace-controller.ts';
import { NodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import type { NodeLifecycleOptions } from './node-lifecycle/node-lifecycle-options.ts';
import { PersistentVolumeBinder } from './persistent-volume/persistent-volume-binder.ts';
import { PodGcController } from './pod-gc/pod-gc-controller.ts';
import { ReplicasController } from './replicaset/replicas-controller.ts';
import { replicaSetKind, replicationControllerKind } from './replicaset/replicated.ts';
import { ResourceQuotaController } from './resourcequota/resource-quota-controller.ts';
import { addRootCaPublisher, addServiceAccountController } from './serviceaccount/controllers.ts';
import { addServiceAccountTokens } from './serviceaccount-token/service-account-token-controller.ts';
import { StatefulSetController } from './statefulset/stateful-set-controller.ts';
import { TaintEvictionController } from './taint-eviction/taint-eviction-controller.ts';
import { addTtlController } from './ttl/ttl-controller.ts';
import { addTtlAfterFinished } from './ttl-after-finished/ttl-after-finished.ts';
import { addVolumeExpansion } from './volume-expand/volume-expand-controller.ts';
import { addClaimProtection, addVolumeProtection } from './volume-protection/volume-protection.ts';

/** One controller of the controller manager. */
export interface ControllerDescription {
  /** As it is called in logs, metrics, events and lists of controllers. */
  readonly name: string;
  /** The short name that it has in lists, too. */
  readonly alias: string;
  /** How many keys it works on at a time. */
  readonly concurrency: number;
  /** The flag that changes that; several controllers may share one. Undefined: it is fixed. */
  readonly concurrencyFlag: string | undefined;
  /** Makes it a part of the manager. */
  readonly add: (manager: Manager, options: ControllerOptions) => unknown;
}

/** All that there are, in the order in which they are added. */
export const CONTROLLERS: readonly ControllerDescription[] = Object.freeze([
  {
    name: 'deployment-controller',
    alias: 'deployment',
    concurrency: 5,
    concurrencyFlag: 'concurrent-deployment-syncs',
    add: (manager, options) => new DeploymentController(manager, options),
  },
  {
    name: 'replicaset-controller',
    alias: 'replicaset',
    concurrency: 5,
    concurrencyFlag: 'concurrent-replicaset-syncs',
    add: (manager, options) => new ReplicasController(replicaSetKind, manager, options),
  },
  {
    name: 'replicationcontroller-controller',
    alias: 'replicationcontroller',
    concurrency: 5,
    concurrencyFlag: 'concurrent-rc-syncs',
    add: (manager, options) => new ReplicasController(replicationControllerKind, manager, options),
  },
  {
    name: 'garbage-collector-controller',
    alias: 'garbagecollector',
    concurrency: 20,
    concurrencyFlag: 'concurrent-gc-syncs',
    add: (manager, options) => new GarbageCollector(manager, options),
  },
  {
    name: 'namespace-controller',
    alias: 'namespace',
    concurrency: 10,
    concurrencyFlag: 'concurrent-namespace-syncs',
    add: (manager, options) => new NamespaceController(manager, options),
  },
  {
    name: 'resourcequota-controller',
    alias: 'resourcequota',
    concurrency: 5,
    concurrencyFlag: 'concurrent-resource-quota-syncs',
    add: (manager, options) => new ResourceQuotaController(manager, options),
  },
  {
    name: 'serviceaccount-controller',
    alias: 'serviceaccount',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addServiceAccountController,
  },
  {
    name: 'serviceaccount-token-controller',
    alias: 'serviceaccount-token',
    concurrency: 5,
    concurrencyFlag: 'concurrent-serviceaccount-token-syncs',
    add: addServiceAccountTokens,
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    alias: 'root-ca-cert-publisher',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addRootCaPublisher,
  },
  {
    name: 'clusterrole-aggregation-controller',
    alias: 'clusterrole-aggregation',
    concurrency: 5,
    concurrencyFlag: undefined,
    add: addClusterRoleAggregation,
  },
  {
    name: 'endpointslice-controller',
    alias: 'endpointslice',
    concurrency: 5,
    concurrencyFlag: 'concurrent-service-endpoint-syncs',
    add: (manager, options) => new EndpointSliceController(manager, options),
  },
  {
    name: 'endpointslice-mirroring-controller',
    alias: 'endpointslicemirroring',
    concurrency: 5,
    concurrencyFlag: 'mirroring-concurrent-service-endpoint-syncs',
    add: (manager, options) => new EndpointSliceMirroringController(manager, options),
  },
  {
    name: 'endpoints-controller',
    alias: 'endpoint',
    concurrency: 5,
    concurrencyFlag: 'concurrent-endpoint-syncs',
    add: (manager, options) => new EndpointsController(manager, options),
  },
  {
    name: 'job-controller',
    alias: 'job',
    concurrency: 5,
    concurrencyFlag: 'concurrent-job-syncs',
    add: (manager, options) => new JobController(manager, options),
  },
  {
    name: 'cronjob-controller',
    alias: 'cronjob',
    concurrency: 5,
    concurrencyFlag: 'concurrent-cron-job-syncs',
    add: (manager, options) => new CronJobController(manager, options),
  },
  {
    name: 'ttl-controller',
    alias: 'ttl',
    concurrency: 5,
    concurrencyFlag: undefined,
    add: addTtlController,
  },
  {
    name: 'ttl-after-finished-controller',
    alias: 'ttl-after-finished',
    concurrency: 5,
    concurrencyFlag: 'concurrent-ttl-after-finished-syncs',
    add: addTtlAfterFinished,
  },
  {
    name: 'pod-garbage-collector-controller',
    alias: 'podgc',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: (manager, options) => new PodGcController(manager, options),
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    alias: 'csrapproving',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addCertificateApproving,
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    alias: 'csrsigning',
    concurrency: 5,
    concurrencyFlag: undefined,
    add: addCertificateSigning,
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    alias: 'csrcleaner',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addCertificateCleaner,
  },
  {
    name: 'node-lifecycle-controller',
    alias: 'nodelifecycle',
    concurrency: 8,
    concurrencyFlag: undefined,
    add: (manager, options) => new NodeLifecycleController(manager, options),
  },
  {
    name: 'taint-eviction-controller',
    alias: 'taint-eviction-controller',
    concurrency: 8,
    concurrencyFlag: undefined,
    add: (manager, options) => new TaintEvictionController(manager, options),
  },
  {
    name: 'persistentvolume-binder-controller',
    alias: 'persistentvolume-binder',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: (manager, options) => new PersistentVolumeBinder(manager, options),
  },
  {
    name: 'persistentvolume-attach-detach-controller',
    alias: 'attachdetach',
    concurrency: 10,
    concurrencyFlag: undefined,
    add: (manager, options) => new AttachDetachController(manager, options),
  },
  {
    name: 'persistentvolume-expander-controller',
    alias: 'persistentvolume-expander',
    concurrency: 10,
    concurrencyFlag: undefined,
    add: addVolumeExpansion,
  },
  {
    name: 'ephemeral-volume-controller',
    alias: 'ephemeral-volume',
    concurrency: 5,
    concurrencyFlag: 'concurrent-ephemeralvolume-syncs',
    add: addEphemeralVolumes,
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    alias: 'pvc-protection',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addClaimProtection,
  },
  {
    name: 'persistentvolume-protection-controller',
    alias: 'pv-protection',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addVolumeProtection,
  },
  {
    name: 'statefulset-controller',
    alias: 'statefulset',
    concurrency: 5,
    concurrencyFlag: 'concurrent-statefulset-syncs',
    add: (manager, options) => new StatefulSetController(manager, options),
  },
  {
    name: 'daemonset-controller',
    alias: 'daemonset',
    concurrency: 2,
    concurrencyFlag: 'concurrent-daemonset-syncs',
    add: (manager, options) => new DaemonSetController(manager, options),
  },
  {
    name: 'horizontal-pod-autoscaler-controller',
    alias: 'horizontalpodautoscaling',
    concurrency: 5,
    concurrencyFlag: 'concurrent-horizontal-pod-autoscaler-syncs',
    add: (manager, options) => new HorizontalPodAutoscalerController(manager, options),
  },
  {
    name: 'disruption-controller',
    alias: 'disruption',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: (manager, options) => new DisruptionController(manager, options),
  },
] satisfies ControllerDescription[]);

export interface AddControllersOptions {
  /**
   * Which ones: names or short names, `*` for all, and `-name` for all but that one. The first entry that
   * names a controller decides.
   * @default all
   */
  readonly controllers?: readonly string[];
  /** How many keys a controller works on at a time, by its name. @default as described */
  readonly concurrency?: Readonly<Record<string, number>>;
  /** PEM of the authority by which pods know the API server. @default none is published */
  readonly rootCa?: string;
  /** PEM of the private key that signs tokens in secrets. @default none is signed */
  readonly serviceAccountKey?: string;
  /** The authority that signs certificates. @default none is signed */
  readonly signing?: SigningAuthority;
  /** How patient the node lifecycle controller is. @default as Kubernetes is */
  readonly nodeLifecycle?: NodeLifecycleOptions;
  /** How often autoscalers look, and how careful they are. @default as Kubernetes is */
  readonly horizontalPodAutoscaler?: AutoscalerOptions;
}

/** Adds the controllers to a manager, which runs them. Before it starts, or at any time. */
export function addControllers(manager: Manager, options: AddControllersOptions = {}): void {
  for (const { name, concurrency, add } of selectControllers(options.controllers ?? ['*']))
    add(manager, {
      name,
      concurrency: options.concurrency?.[name] ?? concurrency,
      rootCa: options.rootCa,
      serviceAccountKey: options.serviceAccountKey,
      signing: options.signing,
      nodeLifecycle: options.nodeLifecycle,
      horizontalPodAutoscaler: options.horizontalPodAutoscaler,
    });
}

/** @throws UnknownControllerError */
export function selectControllers(list: readonly string[]): readonly ControllerDescription[] {
  const wanted = list.map((entry) => ({ isWanted: !entry.startsWith('-'), name: entry.replace(/^-/, '') }));
  for (const { name } of wanted)
    if (name !== '*' && !CONTROLLERS.some((one) => one.name === name || one.alias === name))
      throw new UnknownControllerError(
        name,
        CONTROLLERS.map((one) => one.name),
      );
  const hasStar = wanted.some(({ name, isWanted }) => name === '*' && isWanted);
  return CONTROLLERS.filter(
    ({ name, alias }) =>
      wanted.find((entry) => entry.name === name || entry.name === alias)?.isWanted ?? hasStar,
  );
}
