import { apis, CORE, range, record, type Shape } from './shape.ts';

/** Who may do what, and how much. */
export const ACCESS_SHAPES: readonly Shape[] = [
  {
    name: 'role: rules',
    path: apis('rbac.authorization.k8s.io/v1', 'roles'),
    most: 30_000,
    make: (count) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'grown' },
      rules: range(count, (i) => ({ apiGroups: [''], resources: [`pods${i}`], verbs: ['get', 'list'] })),
    }),
  },
  {
    name: 'role: names in a rule',
    path: apis('rbac.authorization.k8s.io/v1', 'roles'),
    most: 200_000,
    make: (count) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'grown' },
      rules: [
        { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: range(count, (i) => `n${i}`) },
      ],
    }),
  },
  {
    name: 'cluster role: aggregation selectors',
    path: apis('rbac.authorization.k8s.io/v1', 'clusterroles', false),
    most: 50_000,
    make: (count) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'grown' },
      aggregationRule: { clusterRoleSelectors: range(count, (i) => ({ matchLabels: { [`a${i}`]: 'b' } })) },
    }),
  },
  {
    name: 'role binding: subjects',
    path: apis('rbac.authorization.k8s.io/v1', 'rolebindings'),
    most: 40_000,
    make: (count) => ({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'grown' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: range(count, (i) => ({ kind: 'ServiceAccount', name: `s${i}`, namespace: 'default' })),
    }),
  },
  {
    name: 'quota: resources',
    path: `${CORE}resourcequotas`,
    most: 60_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'grown' },
      spec: { hard: record(count, (i) => [`count/things${i}.example.com`, '5']) },
    }),
  },
  {
    name: 'quota: scopes',
    path: `${CORE}resourcequotas`,
    answers: 422,
    most: 150_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'grown' },
      spec: { hard: { pods: '1' }, scopes: range(count, (i) => `Scope${i}`) },
    }),
  },
  {
    name: 'limit range',
    path: `${CORE}limitranges`,
    answers: 422,
    most: 50_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'grown' },
      spec: { limits: range(count, () => ({ type: 'Container', max: { cpu: '1' } })) },
    }),
  },
  {
    name: 'webhooks',
    path: apis('admissionregistration.k8s.io/v1', 'validatingwebhookconfigurations', false),
    most: 8_000,
    make: (count) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'grown' },
      webhooks: range(count, (i) => ({
        name: `w${i}.example.com`,
        clientConfig: { url: `https://127.0.0.1:1/${i}` },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        rules: [{ operations: ['CREATE'], apiGroups: ['none'], apiVersions: ['v1'], resources: ['nothing'] }],
      })),
    }),
  },
  {
    name: 'policy: validations',
    path: apis('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', false),
    most: 15_000,
    make: (count) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'grown' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { operations: ['CREATE'], apiGroups: ['none'], apiVersions: ['v1'], resources: ['nothing'] },
          ],
        },
        validations: range(count, (i) => ({ expression: `object.metadata.name != 'n${i}'` })),
      },
    }),
  },
  {
    name: 'policy: variables',
    path: apis('admissionregistration.k8s.io/v1', 'validatingadmissionpolicies', false),
    most: 15_000,
    make: (count) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'grown' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { operations: ['CREATE'], apiGroups: ['none'], apiVersions: ['v1'], resources: ['nothing'] },
          ],
        },
        variables: range(count, (i) => ({
          name: `v${i}`,
          expression: i === 0 ? '1' : `variables.v0 + ${i}`,
        })),
        validations: [{ expression: 'true' }],
      },
    }),
  },
  {
    name: 'service account: secrets',
    path: `${CORE}serviceaccounts`,
    most: 80_000,
    make: (count) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'grown' },
      secrets: range(count, (i) => ({ name: `s${i}` })),
      imagePullSecrets: range(count, (i) => ({ name: `s${i}` })),
    }),
  },
];
