import { decodeYaml } from '@windlass/apimachinery';
import { fieldOf } from '@windlass/base';
import type { RequestInfo } from '../request/request-info.ts';
import { AuditPolicyError } from './errors.ts';

/** How much of a request is told; each tells what those before it do. */
export const AUDIT_LEVELS = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
/** How much the audit log keeps of a request. */
export type AuditLevel = (typeof AUDIT_LEVELS)[number];

/** ResponseStarted comes with watches only, which may not end for hours. */
export const AUDIT_STAGES = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'] as const;
export type AuditStage = (typeof AUDIT_STAGES)[number];

export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly {
    readonly group?: string;
    readonly resources?: readonly string[];
    readonly resourceNames?: readonly string[];
  }[];
  /** The empty text means what is in no namespace. */
  readonly namespaces?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

/** audit.k8s.io/v1 Policy: the first rule that a request matches decides; without one it is not logged. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}

export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}

/** Their bodies are secrets, or are made of them. */
const SECRETS: NonNullable<AuditRule['resources']> = [
  { group: '', resources: ['secrets', 'serviceaccounts/token'] },
  { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
];

/** Everything at one level, but no secrets and no tokens at any. One line for each request that ended. */
export function auditPolicyFor(level: AuditLevel): AuditPolicy {
  const isDeep = level === 'Request' || level === 'RequestResponse';
  return {
    omitStages: ['RequestReceived'],
    rules: [...(isDeep ? [{ level: 'Metadata', resources: SECRETS } as const] : []), { level }],
  };
}

type Asker = { readonly name: string; readonly groups: readonly string[] } | undefined;

export function decideAudit(policy: AuditPolicy, user: Asker, info: RequestInfo): AuditDecision {
  const rule = policy.rules.find((candidate) => ruleMatches(candidate, user, info));
  return {
    level: rule?.level ?? 'None',
    omitStages: new Set([...(policy.omitStages ?? []), ...(rule?.omitStages ?? [])]),
    omitManagedFields: rule?.omitManagedFields ?? policy.omitManagedFields ?? false,
  };
}

const isGiven = (values: readonly unknown[] | undefined): boolean => (values?.length ?? 0) > 0;

function ruleMatches(rule: AuditRule, user: Asker, info: RequestInfo): boolean {
  const { users, userGroups, verbs, namespaces, resources, nonResourceURLs } = rule;
  if (isGiven(users) && !(user !== undefined && users?.includes(user.name))) return false;
  if (isGiven(userGroups) && !(user?.groups.some((group) => userGroups?.includes(group)) ?? false))
    return false;
  if (isGiven(verbs) && !verbs?.includes(info.verb)) return false;
  if (isGiven(namespaces) || isGiven(resources)) return resourceMatches(rule, info);
  if (isGiven(nonResourceURLs))
    return (
      !info.isResourceRequest && (nonResourceURLs ?? []).some((pattern) => pathMatches(pattern, info.path))
    );
  return true;
}

function pathMatches(pattern: string, path: string): boolean {
  return pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern;
}

function resourceMatches({ namespaces, resources }: AuditRule, info: RequestInfo): boolean {
  if (!info.isResourceRequest) return false;
  if (isGiven(namespaces) && !namespaces?.includes(info.namespace)) return false;
  if (!isGiven(resources)) return true;
  const { group, resource, subresource, name } = info;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  return (resources ?? []).some((entry) => {
    const wanted = entry.group ?? '';
    if (wanted !== group && wanted !== '*') return false;
    if (!isGiven(entry.resources)) return true;
    if (isGiven(entry.resourceNames) && !entry.resourceNames?.includes(name)) return false;
    return (entry.resources ?? []).some(
      (pattern) =>
        pattern === whole ||
        pattern === '*' ||
        (subresource !== '' && pattern === `*/${subresource}`) ||
        pattern === `${resource}/*`,
    );
  });
}

/**
 * Reads a policy from YAML or JSON.
 * @throws AuditPolicyError that says what is wrong with it
 */
export function parseAuditPolicy(text: string): AuditPolicy {
  let value: unknown;
  try {
    ({ value } = decodeYaml(Buffer.from(text)));
  } catch (error) {
    throw new AuditPolicyError('it is neither YAML nor JSON', error);
  }
  if (fieldOf(value, 'kind') !== 'Policy')
    throw new AuditPolicyError('it must be an object of apiVersion audit.k8s.io/v1 and kind Policy');
  const apiVersion = fieldOf(value, 'apiVersion');
  if (apiVersion !== 'audit.k8s.io/v1')
    throw new AuditPolicyError(`apiVersion must be audit.k8s.io/v1, but it is ${JSON.stringify(apiVersion)}`);
  // Its parts are checked one by one below.
  const policy = value as Partial<AuditPolicy>;
  if (!Array.isArray(policy.rules) || policy.rules.length === 0)
    throw new AuditPolicyError('it must have at least one rule, or nothing would ever be logged');
  checkStages(policy.omitStages, 'omitStages');
  for (const [index, rule] of policy.rules.entries()) checkRule(rule, `rules[${index}]`);
  return { ...policy, rules: policy.rules };
}

function checkRule(rule: AuditRule, path: string): void {
  if (typeof rule !== 'object' || rule === null) throw new AuditPolicyError(`${path} must be an object`);
  if (!AUDIT_LEVELS.includes(rule.level))
    throw new AuditPolicyError(
      `${path}.level must be one of ${AUDIT_LEVELS.join(', ')}, but it is ${JSON.stringify(rule.level)}`,
    );
  for (const field of ['users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs'] as const)
    if (rule[field] !== undefined && !Array.isArray(rule[field]))
      throw new AuditPolicyError(`${path}.${field} must be a list`);
  checkStages(rule.omitStages, `${path}.omitStages`);
  for (const url of rule.nonResourceURLs ?? []) {
    if (url !== '*' && !url.startsWith('/'))
      throw new AuditPolicyError(`${path}.nonResourceURLs: ${JSON.stringify(url)} must begin with "/"`);
    if (url.slice(0, -1).includes('*'))
      throw new AuditPolicyError(`${path}.nonResourceURLs: "*" may only end ${JSON.stringify(url)}`);
  }
  if (isGiven(rule.nonResourceURLs) && (isGiven(rule.resources) || isGiven(rule.namespaces)))
    throw new AuditPolicyError(`${path} must be about resources or about nonResourceURLs, not both`);
  for (const { group = '', resources, resourceNames } of rule.resources ?? []) {
    if (group.includes('/'))
      throw new AuditPolicyError(
        `${path}.resources: group ${JSON.stringify(group)} must be without its version`,
      );
    if (isGiven(resourceNames) && !isGiven(resources))
      throw new AuditPolicyError(`${path}.resources: resourceNames need at least one of resources`);
  }
}

function checkStages(stages: unknown, path: string): void {
  if (stages === undefined) return;
  const isKnown = (stage: unknown): boolean => AUDIT_STAGES.some((known) => known === stage);
  if (!Array.isArray(stages) || !stages.every(isKnown))
    throw new AuditPolicyError(`${path} may list ${AUDIT_STAGES.join(', ')}`);
}
