import {
  deepEqual,
  formatTime,
  validateLabelName,
  validatePathSegmentName,
  validatePathSegmentPrefix,
} from '@windlass/apimachinery';
import { validatePolicy, validatePolicyBinding } from '../admission/validation/policy-validation.ts';
import { validateWebhooks } from '../admission/validation/webhook-validation.ts';
import { definitionRules } from '../custom/definition/definition-strategy.ts';
import type { Draft, Stored, Strategy } from '../resource/strategy.ts';
import {
  setDaemonSetDefaults,
  setDeploymentDefaults,
  setReplicaSetDefaults,
  setStatefulSetDefaults,
  TEMPLATE_GENERATION,
} from './apps/defaults.ts';
import { autoscalerFromV1, autoscalerToV1 } from './autoscaling/conversion.ts';
import { setCronJobDefaults, setJobDefaults } from './batch/defaults.ts';
import { alignDataSources } from './core/data-sources.ts';
import {
  setEndpointsDefaults,
  setLimitRangeDefaults,
  setNamespaceDefaults,
  setNodeDefaults,
  setPersistentVolumeClaimDefaults,
  setPersistentVolumeDefaults,
  setPodTemplateDefaults,
  setReplicationControllerDefaults,
  setResourceQuotaDefaults,
  setSecretDefaults,
  setServiceDefaults,
} from './core/defaults.ts';
import { podStrategy } from './core/pod.ts';
import { eventFromCore, eventToCore } from './events/conversion.ts';
import { bindingReview, podBinding } from './handlers/binding.ts';
import { podEviction } from './handlers/eviction.ts';
import { namespaceFinalize, signingApproval } from './handlers/parts.ts';
import { reviews } from './handlers/reviews.ts';
import { serviceAccountToken } from './handlers/token.ts';
import { valueAt } from './immutable.ts';
import type { KindRules, RulesByKind } from './kind-rules.ts';
import {
  setAdmissionPolicyDefaults,
  setAutoscalerV1Defaults,
  setAutoscalerV2Defaults,
  setBindingDefaults,
  setCsiDriverDefaults,
  setEndpointSliceDefaults,
  setIngressClassDefaults,
  setNetworkPolicyDefaults,
  setPolicyBindingDefaults,
  setPriorityClassDefaults,
  setStorageClassDefaults,
  setWebhookDefaults,
} from './other-defaults.ts';
import { textsAt } from './printers/columns.ts';
import type { BuiltinServices } from './services.ts';
import { objectAt, objectIn, objectsAt, setDefault } from './values.ts';

const pathSegment = (name: string, isPrefix: boolean): string[] =>
  isPrefix ? validatePathSegmentPrefix(name) : validatePathSegmentName(name);
const RBAC: Strategy = { allowCreateOnUpdate: true, validateName: pathSegment };
const VERSIONED: Strategy = { allowUnconditionalUpdate: false };

/** The rules of every built-in kind that has any of its own. */
export function builtinRules(services: BuiltinServices): RulesByKind {
  return new Map<string, KindRules>([
    ...core(services),
    ...Object.entries(reviews(services)),
    ['/v1/Binding', { review: bindingReview(services) }],
    [
      'certificates.k8s.io/v1/CertificateSigningRequest',
      {
        strategy: { parts: { approval: signingApproval }, prepareForCreate: setRequestor },
        subresources: { approval: { type: 'part' } },
      },
    ],
    ...apps(),
    ...batch(),
    ...storage(),
    [
      'autoscaling/v1/HorizontalPodAutoscaler',
      {
        strategy: { setDefaults: setAutoscalerV1Defaults },
        storage: {
          group: 'autoscaling',
          plural: 'horizontalpodautoscalers',
          version: 'v2',
          convertFromStorage: autoscalerToV1,
          convertToStorage: autoscalerFromV1,
        },
      },
    ],
    ['autoscaling/v2/HorizontalPodAutoscaler', { strategy: { setDefaults: setAutoscalerV2Defaults } }],
    [
      'policy/v1/PodDisruptionBudget',
      { strategy: { ...VERSIONED, generation: 'spec', validateName: pathSegment } },
    ],
    ['networking.k8s.io/v1/Ingress', { strategy: { generation: 'spec' } }],
    [
      'networking.k8s.io/v1/IngressClass',
      { strategy: { setDefaults: setIngressClassDefaults, generation: 'spec' } },
    ],
    [
      'networking.k8s.io/v1/NetworkPolicy',
      { strategy: { setDefaults: setNetworkPolicyDefaults, generation: 'spec' } },
    ],
    [
      'discovery.k8s.io/v1/EndpointSlice',
      {
        strategy: {
          setDefaults: setEndpointSliceDefaults,
          prepareForCreate: (draft) => dropTopology(draft, undefined),
          prepareForUpdate: dropTopology,
          generation: (object, old) =>
            !deepEqual(object.metadata?.labels ?? {}, old.metadata?.labels ?? {}) ||
            ['addressType', 'endpoints', 'ports'].some((field) => !deepEqual(object[field], old[field])),
        },
      },
    ],
    [
      'coordination.k8s.io/v1/Lease',
      {
        strategy: {
          ...VERSIONED,
          allowCreateOnUpdate: true,
          prepareForCreate: (draft) => dropCoordination(draft, undefined),
          prepareForUpdate: dropCoordination,
        },
      },
    ],
    ['node.k8s.io/v1/RuntimeClass', { strategy: { ...VERSIONED, allowCreateOnUpdate: true } }],
    [
      'scheduling.k8s.io/v1/PriorityClass',
      { strategy: { setDefaults: setPriorityClassDefaults, generation: () => false } },
    ],
    ['rbac.authorization.k8s.io/v1/Role', { strategy: RBAC }],
    ['rbac.authorization.k8s.io/v1/ClusterRole', { strategy: RBAC }],
    ['rbac.authorization.k8s.io/v1/RoleBinding', { strategy: { ...RBAC, setDefaults: setBindingDefaults } }],
    [
      'rbac.authorization.k8s.io/v1/ClusterRoleBinding',
      { strategy: { ...RBAC, setDefaults: setBindingDefaults } },
    ],
    [
      'admissionregistration.k8s.io/v1/MutatingWebhookConfiguration',
      {
        strategy: {
          ...VERSIONED,
          setDefaults: setWebhookDefaults,
          generation: 'all-but-status',
          validate: validateWebhooks,
        },
      },
    ],
    [
      'admissionregistration.k8s.io/v1/ValidatingWebhookConfiguration',
      {
        strategy: {
          ...VERSIONED,
          setDefaults: setWebhookDefaults,
          generation: 'all-but-status',
          validate: validateWebhooks,
        },
      },
    ],
    [
      'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy',
      {
        strategy: {
          ...VERSIONED,
          setDefaults: setAdmissionPolicyDefaults,
          generation: 'spec',
          validate: validatePolicy,
        },
      },
    ],
    [
      'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding',
      {
        strategy: {
          ...VERSIONED,
          setDefaults: setPolicyBindingDefaults,
          generation: 'spec',
          validate: validatePolicyBinding,
        },
      },
    ],
    ['apiextensions.k8s.io/v1/CustomResourceDefinition', definitionRules],
    ['flowcontrol.apiserver.k8s.io/v1/FlowSchema', { strategy: { generation: 'spec' } }],
    ['flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration', { strategy: { generation: 'spec' } }],
    [
      'events.k8s.io/v1/Event',
      {
        strategy: { allowCreateOnUpdate: true, defaultDeletion: 'no-garbage-collection' },
        storage: {
          group: '',
          plural: 'events',
          version: 'v1',
          convertFromStorage: eventFromCore,
          convertToStorage: eventToCore,
        },
      },
    ],
  ]);
}

function core(services: BuiltinServices): [string, KindRules][] {
  const { tokenIssuer } = services;
  return [
    [
      '/v1/Pod',
      {
        strategy: podStrategy,
        subresources: {
          binding: podBinding(services),
          eviction: podEviction(services),
          ephemeralcontainers: { type: 'part' },
          resize: { type: 'part' },
        },
      },
    ],
    [
      '/v1/PodTemplate',
      {
        strategy: {
          setDefaults: (draft) => setPodTemplateDefaults(objectAt(draft, 'template')),
          generation: (object, old) => !deepEqual(object['template'], old['template']),
          returnsDeletedObject: true,
        },
      },
    ],
    [
      '/v1/ReplicationController',
      {
        strategy: {
          setDefaults: setReplicationControllerDefaults,
          generation: 'spec',
          defaultDeletion: 'orphan-dependents',
        },
      },
    ],
    [
      '/v1/Service',
      {
        strategy: {
          setDefaults: setServiceDefaults,
          validateName: validateLabelName,
          allowCreateOnUpdate: true,
          returnsDeletedObject: true,
        },
      },
    ],
    ['/v1/Endpoints', { strategy: { setDefaults: setEndpointsDefaults, allowCreateOnUpdate: true } }],
    ['/v1/Secret', { strategy: { setDefaults: setSecretDefaults } }],
    [
      '/v1/Namespace',
      {
        strategy: {
          setDefaults: setNamespaceDefaults,
          validateName: validateLabelName,
          returnsDeletedObject: true,
          prepareForCreate(draft) {
            draft['status'] = { phase: 'Active' };
            // A name that the server has made up is known only now.
            setNamespaceDefaults(draft);
            const spec = objectIn(draft, 'spec');
            const finalizers = Array.isArray(spec['finalizers']) ? (spec['finalizers'] as string[]) : [];
            if (!finalizers.includes('kubernetes')) spec['finalizers'] = [...finalizers, 'kubernetes'];
          },
          prepareForUpdate(draft, old) {
            objectIn(draft, 'spec')['finalizers'] = objectAt(old, 'spec')?.['finalizers'];
          },
          parts: { finalize: namespaceFinalize },
          // Its contents are deleted by a controller, which then takes the finalizer off.
          holdsDeletion: (object) => textsAt(objectAt(object, 'spec'), 'finalizers').length > 0,
          markDeleted({ metadata, ...object }) {
            // It has no period to wait for, not even one that is over.
            const { deletionGracePeriodSeconds: _grace, ...marked } = metadata ?? {};
            return {
              ...object,
              metadata: marked,
              status: { ...objectAt(object, 'status'), phase: 'Terminating' },
            };
          },
        },
        subresources: { finalize: { type: 'part' } },
      },
    ],
    [
      '/v1/Node',
      {
        strategy: {
          setDefaults: setNodeDefaults,
          keepsStatusOnCreate: true,
          // Nodes were once configured from within the cluster.
          prepareForCreate: (draft) => void delete objectAt(draft, 'spec')?.['configSource'],
          prepareForUpdate(draft, old) {
            const spec = objectAt(draft, 'spec');
            if (objectAt(old, 'spec')?.['configSource'] === undefined) delete spec?.['configSource'];
          },
          prepareForStatusUpdate(draft, old) {
            if (objectAt(old, 'status')?.['config'] === undefined)
              delete objectAt(draft, 'status')?.['config'];
          },
        },
      },
    ],
    [
      '/v1/PersistentVolume',
      {
        strategy: {
          setDefaults: setPersistentVolumeDefaults,
          returnsDeletedObject: true,
          prepareForCreate: (draft, { clock }) =>
            void (draft['status'] = { phase: 'Pending', lastPhaseTransitionTime: formatTime(clock.now()) }),
          prepareForStatusUpdate: setPhaseTransition,
        },
      },
    ],
    [
      '/v1/PersistentVolumeClaim',
      {
        strategy: {
          setDefaults: setPersistentVolumeClaimDefaults,
          returnsDeletedObject: true,
          prepareForCreate(draft) {
            draft['status'] = { phase: 'Pending' };
            alignDataSources(objectIn(draft, 'spec'), undefined);
          },
          prepareForUpdate: (draft, old) => alignDataSources(objectIn(draft, 'spec'), objectAt(old, 'spec')),
        },
      },
    ],
    [
      '/v1/ServiceAccount',
      {
        strategy: {
          returnsDeletedObject: true,
          prepareForCreate: keepSecretNames,
          prepareForUpdate: keepSecretNames,
        },
        ...(tokenIssuer !== undefined && {
          subresources: { token: serviceAccountToken(services, tokenIssuer) },
        }),
      },
    ],
    [
      '/v1/ResourceQuota',
      { strategy: { setDefaults: setResourceQuotaDefaults, returnsDeletedObject: true } },
    ],
    [
      '/v1/LimitRange',
      {
        strategy: {
          setDefaults: setLimitRangeDefaults,
          allowCreateOnUpdate: true,
          // The only kind that needs no name.
          prepareForCreate(draft, { random }) {
            draft.metadata ??= {};
            draft.metadata.name ||= random.uuid();
          },
        },
      },
    ],
    [
      '/v1/Event',
      {
        strategy: {
          allowCreateOnUpdate: true,
          defaultDeletion: 'no-garbage-collection',
          validateName: pathSegment,
        },
      },
    ],
  ];
}

/** Topology is told by other fields now; it stays only where nothing else changes. */
function dropTopology(draft: Draft, old: Stored | undefined): void {
  if (old !== undefined && deepEqual(draft['endpoints'], old['endpoints'])) return;
  for (const endpoint of objectsAt(draft, 'endpoints')) delete endpoint['deprecatedTopology'];
  // It counts as a change all the same.
  if (old !== undefined && deepEqual(draft['endpoints'], old['endpoints']) && draft.metadata !== undefined)
    draft.metadata.generation = (old.metadata?.generation ?? 0) + 1;
}

/** Of the secrets of a service account only the names are kept. */
function keepSecretNames(draft: Draft): void {
  const secrets = objectsAt(draft, 'secrets');
  if (secrets.length > 0) draft['secrets'] = secrets.map(({ name }) => (name === undefined ? {} : { name }));
}

/** Coordinated elections are not served; who has one keeps it. */
function dropCoordination(draft: Draft, old: Stored | undefined): void {
  const spec = objectAt(draft, 'spec');
  const before = objectAt(old, 'spec');
  if (spec === undefined || before?.['strategy'] !== undefined || before?.['preferredHolder'] !== undefined)
    return;
  delete spec['strategy'];
  delete spec['preferredHolder'];
}

function apps(): [string, KindRules][] {
  return [
    [
      'apps/v1/Deployment',
      {
        strategy: {
          setDefaults: setDeploymentDefaults,
          generation: (object, old) =>
            !deepEqual(object['spec'], old['spec']) ||
            !deepEqual(object.metadata?.annotations, old.metadata?.annotations),
        },
      },
    ],
    [
      'apps/v1/ReplicaSet',
      {
        strategy: {
          setDefaults: setReplicaSetDefaults,
          generation: 'spec',
        },
      },
    ],
    [
      'apps/v1/DaemonSet',
      {
        strategy: {
          setDefaults: setDaemonSetDefaults,
          generation: 'spec',
          prepareForCreate: (draft) => setTemplateGeneration(draft, 1),
          prepareForUpdate(draft, old) {
            const before = Number(old.metadata?.annotations?.[TEMPLATE_GENERATION] ?? 0);
            const isNew = !deepEqual(valueAt(draft, 'spec.template'), valueAt(old, 'spec.template'));
            setTemplateGeneration(draft, isNew ? before + 1 : before);
          },
        },
      },
    ],
    [
      'apps/v1/StatefulSet',
      {
        strategy: {
          setDefaults: setStatefulSetDefaults,
          validateName: validateLabelName,
          generation: 'spec',
        },
      },
    ],
  ];
}

function setTemplateGeneration(draft: Draft, generation: number): void {
  draft.metadata ??= {};
  draft.metadata.annotations = {
    ...draft.metadata.annotations,
    [TEMPLATE_GENERATION]: String(generation),
  };
}

function batch(): [string, KindRules][] {
  return [
    [
      'batch/v1/Job',
      {
        strategy: {
          setDefaults: setJobDefaults,
          generation: 'spec',
          defaultDeletion: 'orphan-dependents',
          prepareForCreate: prepareJob,
        },
      },
    ],
    [
      'batch/v1/CronJob',
      {
        strategy: {
          setDefaults: setCronJobDefaults,
          generation: 'spec',
        },
      },
    ],
  ];
}

/** A job finds its pods by its own uid, unless it was told to find them by itself. */
const prepareJob: NonNullable<Strategy['prepareForCreate']> = (draft) => {
  const spec = objectIn(draft, 'spec');
  if (spec['manualSelector'] === true) return;
  const uid = draft.metadata?.uid ?? '';
  const name = draft.metadata?.name ?? '';
  const labels = objectIn(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels');
  Object.assign(labels, {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
  });
  const selector = objectIn(spec, 'selector');
  objectIn(selector, 'matchLabels')['batch.kubernetes.io/controller-uid'] = uid;
};

/** Not served yet. */
function dropVolumeLimits(draft: Draft): void {
  delete objectAt(draft, 'spec')?.['preventPodSchedulingIfMissing'];
}

/** It counts from nothing: what was never changed has no generation. */
const countChanges: NonNullable<Strategy['prepareForUpdate']> = (draft, old) => {
  if (deepEqual(draft['spec'], old['spec'])) return;
  draft.metadata ??= {};
  draft.metadata.generation = (old.metadata?.generation ?? 0) + 1;
};

const setPhaseTransition: NonNullable<Strategy['prepareForStatusUpdate']> = (draft, old, { clock }) => {
  const status = objectIn(draft, 'status');
  const before = objectAt(old, 'status');
  const last = before?.['lastPhaseTransitionTime'];
  if (last !== undefined) setDefault(status, 'lastPhaseTransitionTime', last);
  if (status['phase'] !== before?.['phase'] && status['lastPhaseTransitionTime'] === last)
    status['lastPhaseTransitionTime'] = formatTime(clock.now());
};

function storage(): [string, KindRules][] {
  const strategy: Strategy = { ...VERSIONED, returnsDeletedObject: true };
  return [
    [
      'storage.k8s.io/v1/StorageClass',
      {
        strategy: {
          setDefaults: setStorageClassDefaults,
          returnsDeletedObject: true,
        },
      },
    ],
    [
      'storage.k8s.io/v1/CSIDriver',
      {
        strategy: {
          ...strategy,
          setDefaults: setCsiDriverDefaults,
          prepareForCreate: dropVolumeLimits,
          prepareForUpdate(draft, old, context) {
            dropVolumeLimits(draft);
            countChanges(draft, old, context);
          },
        },
      },
    ],
    ['storage.k8s.io/v1/CSINode', { strategy }],
    ['storage.k8s.io/v1/VolumeAttachment', { strategy }],
    ['storage.k8s.io/v1/CSIStorageCapacity', { strategy: VERSIONED }],
  ];
}

/** Who asks for a certificate is who sends the request, whatever it says. */
const setRequestor: NonNullable<Strategy['prepareForCreate']> = (draft, { user }) => {
  const spec = objectIn(draft, 'spec');
  for (const field of ['uid', 'extra']) delete spec[field];
  spec['username'] = user.name;
  spec['groups'] = [...user.groups];
  if (user.uid !== undefined && user.uid !== '') spec['uid'] = user.uid;
  if (user.extra !== undefined) spec['extra'] = structuredClone(user.extra);
};
