import type { FieldPath } from '@windlass/apimachinery';
import type { Container, EphemeralContainer } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateActions } from './actions.ts';
import { type PodContext, validateContainer, validateImageText, validateRestart } from './container.ts';
import { validateHostPorts } from './ports.ts';

const ACTIONS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const EPHEMERAL_FORBIDDEN = [
  'ports',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
] as const;

export function validateContainers(context: PodContext, path: FieldPath, findings: Findings): void {
  const containers = context.spec.containers ?? [];
  const at = path.child('containers');
  const names = new Set<string>();
  if (containers.length === 0) findings.required(at);
  for (const [index, container] of containers.entries()) {
    const where = at.index(index);
    validateContainer(container, context, where, findings);
    const { name = '' } = container;
    if (names.has(name)) findings.duplicate(where.child('name'), name);
    names.add(name);
    validateActions(container, context.spec, where, findings);
    validateRestart(container, where, findings);
  }
  validateHostPorts(containers, at, findings);
  validateInitContainers(context, new Set(names), path.child('initContainers'), findings);
  validateEphemeralContainers(context, path.child('ephemeralContainers'), findings);
}

function validateInitContainers(
  context: PodContext,
  names: Set<string>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const [index, container] of (context.spec.initContainers ?? []).entries()) {
    const at = path.index(index);
    validateContainer(container, context, at, findings);
    validateRestart(container, at, findings, true);
    const { name = '' } = container;
    if (names.has(name)) findings.duplicate(at.child('name'), name);
    else if (name !== '') names.add(name);
    // Upstream counts from the first, whichever it is.
    validateHostPorts([container], path, findings);
    if (container.restartPolicy === 'Always') validateActions(container, context.spec, at, findings);
    else validateNoSidecar(container, at, findings);
  }
}

/** An init container that ends before the others start. */
function validateNoSidecar(container: View<Container>, path: FieldPath, findings: Findings): void {
  for (const field of ACTIONS)
    if (container[field] !== undefined)
      findings.forbidden(
        path.child(field),
        'may not be set for init containers without restartPolicy=Always',
      );
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries())
    if (restartPolicy === 'RestartContainer')
      findings.invalid(
        path.child('resizePolicy').index(index).child('restartPolicy'),
        restartPolicy,
        "must not be set to 'RestartContainer' for non-sidecar initContainers",
      );
}

function validateEphemeralContainers(context: PodContext, path: FieldPath, findings: Findings): void {
  const { containers, initContainers, ephemeralContainers } = context.spec;
  const targets = new Set([...(containers ?? []), ...(initContainers ?? [])].map(({ name = '' }) => name));
  const names = new Set(targets);
  for (const [index, container] of (ephemeralContainers ?? []).entries()) {
    const at = path.index(index);
    validateContainer(container, context, at, findings);
    validateImageText(container, at, findings);
    const { name = '', targetContainerName: target = '' } = container;
    if (names.has(name)) findings.duplicate(at.child('name'), name);
    names.add(name);
    if (target !== '' && !targets.has(target)) findings.notFound(at.child('targetContainerName'), target);
    validateEphemeral(container, at, findings);
  }
}

function validateEphemeral(container: View<EphemeralContainer>, path: FieldPath, findings: Findings): void {
  const problem = 'cannot be set for an Ephemeral Container';
  for (const field of EPHEMERAL_FORBIDDEN)
    if (isSet(container, field)) findings.forbidden(path.child(field), problem);
  for (const [index, mount] of (container.volumeMounts ?? []).entries())
    for (const field of ['subPath', 'subPathExpr'] as const)
      if ((mount[field] ?? '') !== '')
        findings.forbidden(path.child('volumeMounts').index(index).child(field), problem);
}

/** An empty list or an empty probe counts as set. Only the resources are a structure of Go, which is none when empty. */
function isSet(container: View<EphemeralContainer>, field: (typeof EPHEMERAL_FORBIDDEN)[number]): boolean {
  const value = container[field] ?? undefined;
  return field === 'resources' ? Object.keys(value ?? {}).length > 0 : value !== undefined && value !== '';
}
