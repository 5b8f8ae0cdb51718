import { type DeepReadonly, deepEqual, fieldErrorMessage, newInvalid } from '@windlass/apimachinery';
import { Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { fieldOf } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import { getOfKind, listOfKind } from '../../storage/stored-kinds.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden, isOfKind, objectOf, oldObjectOf } from '../request-kind.ts';
import { violationsOf, violationsText } from './evaluate-pod.ts';
import type { CheckedPod } from './security-check.ts';
import {
  compareLevels,
  isPrivileged,
  isSameLevel,
  type LevelVersion,
  levelText,
  SECURITY_PREFIX,
  securityPolicyOf,
} from './security-policy.ts';

/** Written through these, a pod's own part does not change. */
const IGNORED: ReadonlySet<string> = new Set([
  'exec',
  'attach',
  'binding',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/** Where kinds that make pods have what they make them from. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/podtemplates': ['template'],
  '/replicationcontrollers': ['spec', 'template'],
  'apps/daemonsets': ['spec', 'template'],
  'apps/deployments': ['spec', 'template'],
  'apps/replicasets': ['spec', 'template'],
  'apps/statefulsets': ['spec', 'template'],
  'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template'],
  'batch/jobs': ['spec', 'template'],
};

/** When a namespace becomes stricter, so many of its pods are looked at. */
const MAX_CHECKED_PODS = 3000;

type Template = DeepReadonly<Pick<Pod, 'metadata' | 'spec'>>;

/** Pods get only as far as the labels of their namespace let them: privileged, baseline or restricted. */
export function podSecurity({ store }: { readonly store: Store }): AdmissionPlugin {
  return {
    name: 'PodSecurity',
    handles: ({ operation, definition, subresource }) => {
      if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
      const { group, plural } = definition;
      if (group === '' && plural === 'pods') return !IGNORED.has(subresource);
      if (subresource !== '') return false;
      return (group === '' && plural === 'namespaces') || TEMPLATES[`${group}/${plural}`] !== undefined;
    },
    async validate(request) {
      if (isOfKind(request, Namespace)) return checkNamespace(request, store);
      const namespace = await getOfKind(store, Namespace, request.namespace);
      const { policy, errors } = securityPolicyOf(namespace?.metadata?.labels);
      const { context } = request;
      const isPod = isOfKind(request, Pod);
      if (errors.length === 0 && isPrivileged(policy.warn) && isPrivileged(policy.audit)) {
        if (isPod && isPrivileged(policy.enforce))
          context.annotate(`${SECURITY_PREFIX}enforce-policy`, levelText(policy.enforce));
        if (!isPod || isPrivileged(policy.enforce)) return;
      }
      const template = isPod ? objectOf(request, Pod) : templateOf(request);
      if (template?.spec === undefined) return;
      if (isPod && request.operation === 'UPDATE' && !isSignificant(request)) return;
      const checked = checkedPod(template, template.spec);
      if (errors.length > 0)
        context.annotate(
          `${SECURITY_PREFIX}error`,
          `Failed to parse policy: ${errors.map((error) => fieldErrorMessage(error)).join(', ')}`,
        );
      const audited = violationsOf(policy.audit, checked);
      if (audited.length > 0)
        context.annotate(
          `${SECURITY_PREFIX}audit-violations`,
          `would violate PodSecurity "${levelText(policy.audit)}": ${violationsText(audited)}`,
        );
      if (isPod) {
        context.annotate(`${SECURITY_PREFIX}enforce-policy`, levelText(policy.enforce));
        const refused = violationsOf(policy.enforce, checked);
        if (refused.length > 0)
          throw forbidden(
            request,
            `violates PodSecurity "${levelText(policy.enforce)}": ${violationsText(refused)}`,
          );
      }
      const warned = violationsOf(policy.warn, checked);
      if (warned.length > 0)
        context.warn(`would violate PodSecurity "${levelText(policy.warn)}": ${violationsText(warned)}`);
    },
  };
}

function checkedPod({ metadata }: Template, spec: CheckedPod['spec']): CheckedPod {
  return { annotations: metadata?.annotations ?? {}, spec };
}

function templateOf({ definition, object }: AdmissionRequest): Template | undefined {
  let at: unknown = object;
  for (const field of TEMPLATES[`${definition.group}/${definition.plural}`] ?? []) at = fieldOf(at, field);
  // In the typed form of these kinds there is a template at the path, or nothing.
  return at as Template | undefined;
}

/** Only an image can change in a pod that is there, and containers for debugging can come. */
function isSignificant(request: AdmissionRequest): boolean {
  const [pod, old] = [objectOf(request, Pod), oldObjectOf(request, Pod)];
  const images = ({ spec }: DeepReadonly<Pod>, list: 'containers' | 'initContainers'): unknown[] =>
    (spec?.[list] ?? []).map(({ image }) => image);
  const debugging = ({ spec }: DeepReadonly<Pod>): Map<string, unknown> =>
    new Map((spec?.ephemeralContainers ?? []).map(({ name, image }) => [name, image]));
  for (const list of ['containers', 'initContainers'] as const)
    if (!deepEqual(images(pod, list), images(old, list))) return true;
  const before = debugging(old);
  return [...debugging(pod)].some(([name, image]) => !before.has(name) || before.get(name) !== image);
}

async function checkNamespace(request: AdmissionRequest, store: Store): Promise<void> {
  const { object, oldObject, name, context } = request;
  const { policy, errors } = securityPolicyOf(object?.metadata?.labels);
  const before = securityPolicyOf(oldObject?.metadata?.labels);
  const isNew = request.operation === 'CREATE';
  if (errors.length > 0 && (isNew || !deepEqual(errors, before.errors)))
    throw newInvalid({ group: '', kind: 'Namespace' }, name, errors);
  const { enforce } = policy;
  const old = before.policy.enforce;
  if (isNew || isSameLevel(enforce, old) || isPrivileged(enforce)) return;
  if (enforce.minor === old.minor && compareLevels(enforce, old) < 1) return;
  for (const warning of await existingViolations(name, enforce, store)) context.warn(warning);
}

/** What the pods that are there already would be refused for. */
async function existingViolations(namespace: string, enforce: LevelVersion, store: Store): Promise<string[]> {
  const pods = onePerControllerFirst(await listOfKind(store, Pod, namespace));
  const namesByReason = new Map<string, string[]>();
  for (const pod of pods.slice(0, MAX_CHECKED_PODS)) {
    const violations = pod.spec === undefined ? [] : violationsOf(enforce, checkedPod(pod, pod.spec));
    if (violations.length === 0) continue;
    const reason = violations.map((violation) => violation.reason).join(', ');
    const names = namesByReason.get(reason) ?? [];
    names.push(pod.metadata?.name ?? '');
    namesByReason.set(reason, names);
  }
  const warnings: string[] = [];
  if (pods.length > MAX_CHECKED_PODS)
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${MAX_CHECKED_PODS} of ${pods.length} existing pods`,
    );
  if (namesByReason.size > 0)
    warnings.push(
      `existing pods in namespace "${namespace}" violate the new PodSecurity enforce level "${levelText(enforce)}"`,
    );
  const lines = [...namesByReason].map(([reason, names]) => {
    const others = names.length - 1;
    const more = others === 0 ? '' : ` (and ${others} other ${others === 1 ? 'pod' : 'pods'})`;
    return `${names.toSorted()[0] ?? ''}${more}: ${reason}`;
  });
  return [...warnings, ...lines.toSorted()];
}

/** Pods of one controller are alike, so one of each comes before the others. */
function onePerControllerFirst(pods: readonly DeepReadonly<Pod>[]): DeepReadonly<Pod>[] {
  const seen = new Set<string>();
  const first: DeepReadonly<Pod>[] = [];
  const others: DeepReadonly<Pod>[] = [];
  for (const pod of pods) {
    const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller === true)?.uid;
    if (owner !== undefined && seen.has(owner)) others.push(pod);
    else first.push(pod);
    if (owner !== undefined) seen.add(owner);
  }
  return [...first, ...others];
}
