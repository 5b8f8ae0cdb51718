// What every cluster begins with, as Kubernetes 1.36 has it.
import type {
  FlowSchema,
  LimitedPriorityLevelConfiguration,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
  QueuingConfiguration,
  ResourcePolicyRule,
  Subject,
} from '@windlass/apimachinery/api/flowcontrol/v1';
import { ALL_SERVICE_ACCOUNTS } from '../../access/service-account-name.ts';
import { AUTHENTICATED, SYSTEM_MASTERS, UNAUTHENTICATED } from '../../access/user.ts';

/** Whether the server keeps the spec of an object as it is here. */
export const AUTOUPDATE = 'apf.kubernetes.io/autoupdate-spec';
export const EXEMPT = 'exempt';
export const CATCH_ALL = 'catch-all';

const NODES = 'system:nodes';
const CONTROLLER_MANAGER = 'system:kube-controller-manager';
const SCHEDULER = 'system:kube-scheduler';

export type DefaultFlowSchema = FlowSchema & Required<Pick<FlowSchema, 'metadata' | 'spec'>>;
export type DefaultPriorityLevel = PriorityLevelConfiguration &
  Required<Pick<PriorityLevelConfiguration, 'metadata' | 'spec'>>;

const EVERYTHING: Pick<PolicyRulesWithSubjects, 'resourceRules' | 'nonResourceRules'> = {
  resourceRules: [resources(['*'], '*', ['*'], true)],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
const EVERYBODY = [group(UNAUTHENTICATED), group(AUTHENTICATED)];
const KUBE_SYSTEM_ACCOUNTS: Subject = {
  kind: 'ServiceAccount',
  serviceAccount: { namespace: 'kube-system', name: '*' },
};

/** Without these the server could not serve at all. It puts back whatever somebody changes. */
export const MANDATORY_LEVELS: readonly DefaultPriorityLevel[] = [
  level(CATCH_ALL, limited(5, 0, undefined)),
  level(EXEMPT, { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } }),
];

export const MANDATORY_SCHEMAS: readonly DefaultFlowSchema[] = [
  schema(EXEMPT, EXEMPT, 1, undefined, { subjects: [group(SYSTEM_MASTERS)], ...EVERYTHING }),
  schema(CATCH_ALL, CATCH_ALL, 10_000, 'ByUser', { subjects: EVERYBODY, ...EVERYTHING }),
];

/** A good beginning. Who wants another one says so in the annotation. */
export const SUGGESTED_LEVELS: readonly DefaultPriorityLevel[] = [
  level('system', limited(30, 33, queuing(64))),
  level('node-high', limited(40, 25, queuing(64))),
  level('leader-election', limited(10, 0, queuing(16, 4))),
  level('workload-high', limited(40, 50, queuing(128))),
  level('workload-low', limited(100, 90, queuing(128))),
  level('global-default', limited(20, 50, queuing(128))),
];

export const SUGGESTED_SCHEMAS: readonly DefaultFlowSchema[] = [
  schema('system-nodes', 'system', 500, 'ByUser', { subjects: [group(NODES)], ...EVERYTHING }),
  schema('system-node-high', 'node-high', 400, 'ByUser', {
    subjects: [group(NODES)],
    resourceRules: [
      resources(['*'], '', ['nodes', 'nodes/status'], true),
      resources(['*'], 'coordination.k8s.io', ['leases'], false),
    ],
  }),
  schema('probes', EXEMPT, 2, undefined, {
    subjects: EVERYBODY,
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }],
  }),
  schema('system-leader-election', 'leader-election', 100, 'ByUser', {
    subjects: [user(CONTROLLER_MANAGER), user(SCHEDULER), KUBE_SYSTEM_ACCOUNTS],
    resourceRules: [resources(['get', 'create', 'update'], 'coordination.k8s.io', ['leases'], false)],
  }),
  schema('kube-controller-manager', 'workload-high', 800, 'ByNamespace', {
    subjects: [user(CONTROLLER_MANAGER)],
    ...EVERYTHING,
  }),
  schema('kube-scheduler', 'workload-high', 800, 'ByNamespace', {
    subjects: [user(SCHEDULER)],
    ...EVERYTHING,
  }),
  schema('kube-system-service-accounts', 'workload-high', 900, 'ByNamespace', {
    subjects: [KUBE_SYSTEM_ACCOUNTS],
    ...EVERYTHING,
  }),
  schema('service-accounts', 'workload-low', 9000, 'ByUser', {
    subjects: [group(ALL_SERVICE_ACCOUNTS)],
    ...EVERYTHING,
  }),
  schema('global-default', 'global-default', 9900, 'ByUser', { subjects: EVERYBODY, ...EVERYTHING }),
];

function level(name: string, spec: PriorityLevelConfigurationSpec): DefaultPriorityLevel {
  return { metadata: { name, annotations: { [AUTOUPDATE]: 'true' } }, spec };
}

function limited(
  nominalConcurrencyShares: number,
  lendablePercent: number,
  queues: QueuingConfiguration | undefined,
): PriorityLevelConfigurationSpec {
  const limitResponse: LimitedPriorityLevelConfiguration['limitResponse'] =
    queues === undefined ? { type: 'Reject' } : { type: 'Queue', queuing: queues };
  return { type: 'Limited', limited: { nominalConcurrencyShares, lendablePercent, limitResponse } };
}

function queuing(queues: number, handSize = 6): QueuingConfiguration {
  return { queues, handSize, queueLengthLimit: 50 };
}

function schema(
  name: string,
  levelName: string,
  matchingPrecedence: number,
  distinguisher: 'ByUser' | 'ByNamespace' | undefined,
  rule: PolicyRulesWithSubjects,
): DefaultFlowSchema {
  return {
    metadata: { name, annotations: { [AUTOUPDATE]: 'true' } },
    spec: {
      priorityLevelConfiguration: { name: levelName },
      matchingPrecedence,
      ...(distinguisher !== undefined && { distinguisherMethod: { type: distinguisher } }),
      rules: [rule],
    },
  };
}

function resources(
  verbs: string[],
  apiGroup: string,
  names: string[],
  clusterScope: boolean,
): ResourcePolicyRule {
  return {
    verbs,
    apiGroups: [apiGroup],
    resources: names,
    ...(clusterScope && { clusterScope }),
    namespaces: ['*'],
  };
}

function user(name: string): Subject {
  return { kind: 'User', user: { name } };
}

function group(name: string): Subject {
  return { kind: 'Group', group: { name } };
}
