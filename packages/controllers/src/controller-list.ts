import { IPAddress, ServiceCIDR } from '@windlass/apimachinery/api/networking/v1';
import { ResourceClaim, ResourceClaimTemplate } from '@windlass/apimachinery/api/resource/v1';
import { addAttachDetachController } from './attach-detach/attach-detach-controller.ts';
import { addBootstrapSignerController } from './bootstrap/bootstrap-signer-controller.ts';
import { addTokenCleanerController } from './bootstrap/token-cleaner-controller.ts';
import { addCertificateApprovingController } from './certificates/certificate-approving-controller.ts';
import { addCertificateCleanerController } from './certificates/certificate-cleaner-controller.ts';
import { addCertificateSigningController } from './certificates/certificate-signing-controller.ts';
import { addClusterRoleAggregationController } from './cluster-role-aggregation/cluster-role-aggregation-controller.ts';
import type { ControllerDescription } from './controller-description.ts';
import { addCronJobController } from './cronjob/cronjob-controller.ts';
import { addDaemonSetController } from './daemonset/daemonset-controller.ts';
import { addDeploymentController } from './deployment/deployment-controller.ts';
import { addDisruptionController } from './disruption/disruption-controller.ts';
import { addEndpointsController } from './endpoints/endpoints-controller.ts';
import { addEndpointSliceController } from './endpointslice/endpointslice-controller.ts';
import { addEndpointSliceMirroringController } from './endpointslice-mirroring/endpointslice-mirroring-controller.ts';
import { addEphemeralVolumeController } from './ephemeral-volume/ephemeral-volume-controller.ts';
import { addGarbageCollectorController } from './garbage-collector/garbage-collector-controller.ts';
import { addHorizontalPodAutoscalerController } from './horizontal-pod-autoscaler/horizontal-pod-autoscaler-controller.ts';
import { addJobController } from './job/job-controller.ts';
import { addNamespaceController } from './namespace/namespace-controller.ts';
import { addNodeLifecycleController } from './node-lifecycle/node-lifecycle-controller.ts';
import { addPersistentVolumeBinderController } from './persistent-volume-binder/persistent-volume-binder-controller.ts';
import { addPodGcController } from './pod-gc/pod-gc-controller.ts';
import {
  addReplicaSetController,
  addReplicationControllerController,
} from './replicaset/replicaset-controller.ts';
import { addResourceClaimController } from './resource-claim/resource-claim-controller.ts';
import { addResourceQuotaController } from './resourcequota/resourcequota-controller.ts';
import { addRootCaPublisherController } from './root-ca-publisher/root-ca-publisher-controller.ts';
import { addServiceController } from './service/service-controller.ts';
import { addServiceCidrController } from './service-cidr/service-cidr-controller.ts';
import { addServiceAccountController } from './serviceaccount/serviceaccount-controller.ts';
import { addServiceAccountTokenController } from './serviceaccount-token/serviceaccount-token-controller.ts';
import { addStatefulSetController } from './statefulset/statefulset-controller.ts';
import { addTaintEvictionController } from './taint-eviction/taint-eviction-controller.ts';
import { addTtlController } from './ttl/ttl-controller.ts';
import { addTtlAfterFinishedController } from './ttl-after-finished/ttl-after-finished-controller.ts';
import { addVolumeExpandController } from './volume-expand/volume-expand-controller.ts';
import {
  addClaimProtectionController,
  addVolumeProtectionController,
} from './volume-protection/volume-protection-controller.ts';

/** All that there are, in the order in which they are added. */
export const CONTROLLERS: readonly ControllerDescription[] = Object.freeze([
  {
    name: 'deployment-controller',
    alias: 'deployment',
    concurrency: 5,
    concurrencyFlag: 'concurrent-deployment-syncs',
    add: addDeploymentController,
  },
  {
    name: 'replicaset-controller',
    alias: 'replicaset',
    concurrency: 5,
    concurrencyFlag: 'concurrent-replicaset-syncs',
    add: addReplicaSetController,
  },
  {
    name: 'replicationcontroller-controller',
    alias: 'replicationcontroller',
    concurrency: 5,
    concurrencyFlag: 'concurrent-rc-syncs',
    add: addReplicationControllerController,
  },
  {
    name: 'garbage-collector-controller',
    alias: 'garbagecollector',
    concurrency: 20,
    concurrencyFlag: 'concurrent-gc-syncs',
    add: addGarbageCollectorController,
  },
  {
    name: 'namespace-controller',
    alias: 'namespace',
    concurrency: 10,
    concurrencyFlag: 'concurrent-namespace-syncs',
    add: addNamespaceController,
  },
  {
    name: 'resourcequota-controller',
    alias: 'resourcequota',
    concurrency: 5,
    concurrencyFlag: 'concurrent-resource-quota-syncs',
    add: addResourceQuotaController,
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
    add: addServiceAccountTokenController,
  },
  {
    name: 'root-ca-certificate-publisher-controller',
    alias: 'root-ca-cert-publisher',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addRootCaPublisherController,
  },
  {
    name: 'clusterrole-aggregation-controller',
    alias: 'clusterrole-aggregation',
    concurrency: 5,
    concurrencyFlag: undefined,
    add: addClusterRoleAggregationController,
  },
  {
    name: 'endpointslice-controller',
    alias: 'endpointslice',
    concurrency: 5,
    concurrencyFlag: 'concurrent-service-endpoint-syncs',
    add: addEndpointSliceController,
  },
  {
    name: 'endpointslice-mirroring-controller',
    alias: 'endpointslicemirroring',
    concurrency: 5,
    concurrencyFlag: 'mirroring-concurrent-service-endpoint-syncs',
    add: addEndpointSliceMirroringController,
  },
  {
    name: 'endpoints-controller',
    alias: 'endpoint',
    concurrency: 5,
    concurrencyFlag: 'concurrent-endpoint-syncs',
    add: addEndpointsController,
  },
  {
    name: 'service-cidr-controller',
    alias: 'service-cidr',
    concurrency: 1,
    concurrencyFlag: undefined,
    needs: [ServiceCIDR, IPAddress],
    add: addServiceCidrController,
  },
  {
    name: 'service-lb-controller',
    alias: 'service',
    concurrency: 1,
    concurrencyFlag: 'concurrent-service-syncs',
    add: addServiceController,
  },
  {
    name: 'job-controller',
    alias: 'job',
    concurrency: 5,
    concurrencyFlag: 'concurrent-job-syncs',
    add: addJobController,
  },
  {
    name: 'cronjob-controller',
    alias: 'cronjob',
    concurrency: 5,
    concurrencyFlag: 'concurrent-cron-job-syncs',
    add: addCronJobController,
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
    add: addTtlAfterFinishedController,
  },
  {
    name: 'pod-garbage-collector-controller',
    alias: 'podgc',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addPodGcController,
  },
  {
    name: 'certificatesigningrequest-approving-controller',
    alias: 'csrapproving',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addCertificateApprovingController,
  },
  {
    name: 'certificatesigningrequest-signing-controller',
    alias: 'csrsigning',
    concurrency: 5,
    concurrencyFlag: undefined,
    add: addCertificateSigningController,
  },
  {
    name: 'certificatesigningrequest-cleaner-controller',
    alias: 'csrcleaner',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addCertificateCleanerController,
  },
  {
    name: 'bootstrap-signer-controller',
    alias: 'bootstrapsigner',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addBootstrapSignerController,
  },
  {
    name: 'token-cleaner-controller',
    alias: 'tokencleaner',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addTokenCleanerController,
  },
  {
    name: 'node-lifecycle-controller',
    alias: 'nodelifecycle',
    concurrency: 8,
    concurrencyFlag: undefined,
    add: addNodeLifecycleController,
  },
  {
    name: 'taint-eviction-controller',
    alias: 'taint-eviction-controller',
    concurrency: 8,
    concurrencyFlag: undefined,
    add: addTaintEvictionController,
  },
  {
    name: 'persistentvolume-binder-controller',
    alias: 'persistentvolume-binder',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addPersistentVolumeBinderController,
  },
  {
    name: 'persistentvolume-attach-detach-controller',
    alias: 'attachdetach',
    concurrency: 10,
    concurrencyFlag: undefined,
    add: addAttachDetachController,
  },
  {
    name: 'persistentvolume-expander-controller',
    alias: 'persistentvolume-expander',
    concurrency: 10,
    concurrencyFlag: undefined,
    add: addVolumeExpandController,
  },
  {
    name: 'ephemeral-volume-controller',
    alias: 'ephemeral-volume',
    concurrency: 5,
    concurrencyFlag: 'concurrent-ephemeralvolume-syncs',
    add: addEphemeralVolumeController,
  },
  {
    name: 'resourceclaim-controller',
    alias: 'resource-claim-controller',
    concurrency: 10,
    concurrencyFlag: undefined,
    needs: [ResourceClaim, ResourceClaimTemplate],
    add: addResourceClaimController,
  },
  {
    name: 'persistentvolumeclaim-protection-controller',
    alias: 'pvc-protection',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addClaimProtectionController,
  },
  {
    name: 'persistentvolume-protection-controller',
    alias: 'pv-protection',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addVolumeProtectionController,
  },
  {
    name: 'statefulset-controller',
    alias: 'statefulset',
    concurrency: 5,
    concurrencyFlag: 'concurrent-statefulset-syncs',
    add: addStatefulSetController,
  },
  {
    name: 'daemonset-controller',
    alias: 'daemonset',
    concurrency: 2,
    concurrencyFlag: 'concurrent-daemonset-syncs',
    add: addDaemonSetController,
  },
  {
    name: 'horizontal-pod-autoscaler-controller',
    alias: 'horizontalpodautoscaling',
    concurrency: 5,
    concurrencyFlag: 'concurrent-horizontal-pod-autoscaler-syncs',
    add: addHorizontalPodAutoscalerController,
  },
  {
    name: 'disruption-controller',
    alias: 'disruption',
    concurrency: 1,
    concurrencyFlag: undefined,
    add: addDisruptionController,
  },
] satisfies ControllerDescription[]);
