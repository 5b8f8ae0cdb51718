import { deepEqual, FieldPath } from '@windlass/apimachinery';
import type { Container, Pod, PodSpec, ResourceRequirements } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { qosClassOf } from './qos-class.ts';

const SPEC = FieldPath.of('spec');
const RESIZABLE = new Set(['cpu', 'memory']);

const FIELDS = ['requests', 'limits'] as const;
type Field = (typeof FIELDS)[number];

type ContainerList = 'containers' | 'initContainers';
const LISTS: readonly ContainerList[] = ['containers', 'initContainers'];

const MIRROR = 'kubernetes.io/config.mirror';

/** Of a pod that runs, what it and its containers ask of processor and memory may change, and nothing else. */
export function validateResize(pod: View<Pod>, old: View<Pod>, findings: Findings): void {
  const [spec, before] = [pod.spec ?? {}, old.spec ?? {}];
  if (qosClassOf(spec) !== (old.status?.qosClass ?? qosClassOf(before)))
    findings.invalid(SPEC, pod.status?.qosClass, 'Pod QOS Class may not change as a result of resizing');
  if (!isSupported(old)) findings.forbidden(SPEC, 'Pod running on node without support for resize');
  if (hasAmounts(before.resources) || hasAmounts(spec.resources))
    validatePodResources(spec.resources, before.resources, findings);
  if ((old.status?.nodeAllocatableResourceClaimStatuses ?? []).length > 0)
    findings.forbidden(SPEC, 'pods with node allocatable resource claims cannot be resized');
  const isSame = LISTS.map((list) => validateOrder(list, spec, before, findings)).every(Boolean);
  if (!isSame) return;
  for (const list of LISTS)
    for (const [index, container] of (before[list] ?? []).entries())
      validateContainer(list, index, spec[list]?.[index] ?? {}, container, findings);
}

/** Why a pod can never be resized, which is told alone; undefined: it can. */
export function neverResized({ metadata, spec }: View<Pod>): string | undefined {
  if (metadata?.annotations?.[MIRROR] !== undefined) return 'static pods cannot be resized';
  return spec?.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/** A node that can resize says what each container has. */
function isSupported({ status }: View<Pod>): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running !== undefined);
  return running === undefined || running.resources !== undefined;
}

type Resources = View<ResourceRequirements> | undefined;

const hasAmounts = (resources: Resources): boolean =>
  Object.keys(resources?.requests ?? {}).length + Object.keys(resources?.limits ?? {}).length > 0;

function validatePodResources(now: Resources, before: Resources, findings: Findings): void {
  const path = SPEC.child('resources');
  if (before !== undefined && now === undefined) {
    findings.forbidden(path, 'pod-level resources cannot be removed');
    return;
  }
  for (const field of FIELDS)
    if (isRemoved(now, before, field))
      findings.forbidden(path.child(field), `pod-level resource ${field} cannot be removed`);
  if (!deepEqual(fixedAmounts(now), fixedAmounts(before)))
    findings.forbidden(SPEC, 'only cpu and memory resources are mutable at pod-level');
}

function isRemoved(now: Resources, before: Resources, field: Field): boolean {
  return Object.keys(amounts(before, field)).some((name) => amounts(now, field)[name] === undefined);
}

function validateOrder(
  list: ContainerList,
  spec: View<PodSpec>,
  before: View<PodSpec>,
  findings: Findings,
): boolean {
  const [now, then] = [spec[list] ?? [], before[list] ?? []];
  const path = SPEC.child(list);
  if (now.length !== then.length) {
    findings.forbidden(path, `${list} may not be added or removed on resize`);
    return false;
  }
  const moved = then.flatMap(({ name = '' }, index) => (name === (now[index]?.name ?? '') ? [] : [index]));
  for (const index of moved)
    findings.forbidden(path.index(index).child('name'), `${list} may not be renamed or reordered on resize`);
  return moved.length === 0;
}

function validateContainer(
  list: ContainerList,
  index: number,
  now: View<Container>,
  before: View<Container>,
  findings: Findings,
): void {
  const isInit = list === 'initContainers';
  const path = SPEC.child(list).index(index);
  for (const field of FIELDS)
    if (isRemoved(now.resources, before.resources, field))
      findings.forbidden(path.child('resources', field), `resource ${field} cannot be removed`);
  if (!deepEqual(fixed(now), fixed(before))) {
    if (isInit)
      findings.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable');
    else findings.forbidden(SPEC, 'only cpu and memory resources are mutable');
  }
  if (!isInit || before.restartPolicy === 'Always' || deepEqual(now, before)) return;
  // It would not be started again, so that nothing could come of it.
  if (now.resizePolicy?.some(({ restartPolicy }) => restartPolicy === 'RestartContainer') === true)
    findings.forbidden(
      path,
      'non-sidecar init containers with a resize policy of RestartContainer cannot be resized',
    );
}

function amounts(resources: Resources, field: Field): Readonly<Record<string, string>> {
  return resources?.[field] ?? {};
}

/** A container with what may not change of it. */
function fixed(container: View<Container>): object {
  return { ...container, resources: fixedAmounts(container.resources) };
}

function fixedAmounts(resources: Resources): object {
  return FIELDS.map((field) =>
    Object.entries(amounts(resources, field)).filter(([name]) => !RESIZABLE.has(name)),
  );
}
