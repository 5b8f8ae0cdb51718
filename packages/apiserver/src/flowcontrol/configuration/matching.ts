import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '@windlass/apimachinery/api/flowcontrol/v1';
import { serviceAccountUser, splitServiceAccountUser } from '../../access/service-account-name.ts';
import type { UserInfo } from '../../access/user.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { View } from '../../resource/views.ts';

/** Whether a flow schema is for a request. */
export type Matcher = (info: RequestInfo, user: UserInfo) => boolean;

type Test<T> = (value: T) => boolean;

/** Reads the rules of a flow schema once, so that each request costs only comparisons. */
export function matcherOf({ spec }: View<FlowSchema>): Matcher {
  const rules = (spec?.rules ?? []).map(ruleMatcher);
  return (info, user) => rules.some((matches) => matches(info, user));
}

function ruleMatcher(rule: View<PolicyRulesWithSubjects>): Matcher {
  const subjects = (rule.subjects ?? []).map(subjectTest);
  const resources = (rule.resourceRules ?? []).map(resourceTest);
  const paths = (rule.nonResourceRules ?? []).map(pathTest);
  return (info, user) => {
    const tests = info.isResourceRequest ? resources : paths;
    return tests.length > 0 && subjects.some((test) => test(user)) && tests.some((test) => test(info));
  };
}

function subjectTest(subject: View<Subject>): Test<UserInfo> {
  const nobody: Test<UserInfo> = () => false;
  switch (subject.kind) {
    case 'User': {
      const name = subject.user?.name;
      return name === '*' ? () => true : (user) => user.name === name;
    }
    case 'Group': {
      const name = subject.group?.name;
      if (name === undefined) return nobody;
      return name === '*' ? () => true : (user) => user.groups.includes(name);
    }
    case 'ServiceAccount': {
      if (subject.serviceAccount === undefined) return nobody;
      const { namespace = '', name = '' } = subject.serviceAccount;
      if (name === '*') return (user) => splitServiceAccountUser(user.name)?.namespace === namespace;
      const wanted = serviceAccountUser(namespace, name);
      return (user) => user.name === wanted;
    }
    default:
      return nobody;
  }
}

function resourceTest(rule: View<ResourcePolicyRule>): Test<RequestInfo> {
  const verb = oneOf(rule.verbs);
  const apiGroup = oneOf(rule.apiGroups);
  const resource = oneOf(rule.resources);
  const namespaced = oneOf(rule.namespaces);
  const { clusterScope = false } = rule;
  return (info) => {
    const { subresource } = info;
    if (!verb(info.verb) || !apiGroup(info.group)) return false;
    if (!resource(subresource === '' ? info.resource : `${info.resource}/${subresource}`)) return false;
    const namespace = namespaceOf(info);
    return namespace === '' ? clusterScope : namespaced(namespace);
  };
}

function pathTest(rule: View<NonResourcePolicyRule>): Test<RequestInfo> {
  const verb = oneOf(rule.verbs);
  const paths = rule.nonResourceURLs ?? [];
  const isAny = paths.includes('*');
  const exact = new Set(paths);
  const prefixes = paths
    .map((path) => path.replace(/\*$/, ''))
    .map((path) => (path.endsWith('/') ? path : `${path}/`));
  return (info) =>
    verb(info.verb) &&
    (isAny || exact.has(info.path) || prefixes.some((prefix) => info.path.startsWith(prefix)));
}

/** A star counts only alone: so says validation. */
function oneOf(values: readonly string[] | null | undefined): Test<string> {
  if (values?.length === 1 && values[0] === '*') return () => true;
  const known = new Set(values ?? []);
  return (value) => known.has(value);
}

/** A namespace is in itself, for flow schemas. */
export function namespaceOf({ resource, namespace, name, isNameInPath }: RequestInfo): string {
  return resource === 'namespaces' && isNameInPath ? name : namespace;
}
