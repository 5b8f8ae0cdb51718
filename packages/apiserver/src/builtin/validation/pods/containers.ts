import { type FieldPath, validatePortName, validatePortNumber } from '@windlass/apimachinery';
import { numberAt, textAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';
import { validateEnvironment } from './environment.ts';
import { validateLifecycle, validateProbes } from './handlers.ts';
import { validateMounts } from './mounts.ts';
import { validateContainerResources } from './resources.ts';
import { validateContainerSecurity } from './security.ts';
import { validatePullPolicy } from './volumes.ts';

/** What containers are checked against: the pod that they are in. */
export interface PodContext {
  readonly spec: Fields;
  readonly volumes: ReadonlyMap<string, Fields>;
  readonly claims: ReadonlySet<string>;
}

const PROTOCOLS = ['SCTP', 'TCP', 'UDP'];
const HOOKS = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];
const RESTARTS = ['Always', 'Never', 'OnFailure'];
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
];

export function validateContainers(context: PodContext, path: FieldPath, findings: Findings): void {
  const { spec } = context;
  const containers = objectsAt(spec, 'containers');
  const at = path.child('containers');
  const names = new Set<string>();
  if (containers.length === 0) findings.required(at);
  for (const [index, container] of containers.entries()) {
    const where = at.index(index);
    validateContainer(container, context, where, findings);
    const name = textAt(container, 'name');
    if (names.has(name)) findings.duplicate(where.child('name'), name);
    names.add(name);
    validateHooks(container, spec, where, findings);
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
  for (const [index, container] of objectsAt(context.spec, 'initContainers').entries()) {
    const at = path.index(index);
    validateContainer(container, context, at, findings);
    validateRestart(container, at, findings, true);
    const name = textAt(container, 'name');
    if (names.has(name)) findings.duplicate(at.child('name'), name);
    else if (name !== '') names.add(name);
    // Upstream counts from the first, whichever it is.
    validateHostPorts([container], path, findings);
    const isSidecar = container['restartPolicy'] === 'Always';
    if (isSidecar) validateHooks(container, context.spec, at, findings);
    else
      for (const hook of HOOKS)
        if (container[hook] !== undefined)
          findings.forbidden(
            at.child(hook),
            'may not be set for init containers without restartPolicy=Always',
          );
    if (isSidecar) continue;
    for (const [place, policy] of objectsAt(container, 'resizePolicy').entries())
      if (policy['restartPolicy'] === 'RestartContainer')
        findings.invalid(
          at.child('resizePolicy').index(place).child('restartPolicy'),
          'RestartContainer',
          "must not be set to 'RestartContainer' for non-sidecar initContainers",
        );
  }
}

function validateEphemeralContainers(context: PodContext, path: FieldPath, findings: Findings): void {
  const others = [...objectsAt(context.spec, 'containers'), ...objectsAt(context.spec, 'initContainers')];
  const targets = new Set(others.map((container) => textAt(container, 'name')));
  const names = new Set(targets);
  for (const [index, container] of objectsAt(context.spec, 'ephemeralContainers').entries()) {
    const at = path.index(index);
    validateContainer(container, context, at, findings);
    validateImageText(container, at, findings);
    const name = textAt(container, 'name');
    if (names.has(name)) findings.duplicate(at.child('name'), name);
    names.add(name);
    const target = textAt(container, 'targetContainerName');
    if (target !== '' && !targets.has(target)) findings.notFound(at.child('targetContainerName'), target);
    for (const field of EPHEMERAL_FORBIDDEN)
      if (!isEmpty(container[field]))
        findings.forbidden(at.child(field), 'cannot be set for an Ephemeral Container');
    for (const [place, mount] of objectsAt(container, 'volumeMounts').entries())
      for (const field of ['subPath', 'subPathExpr'])
        if (textAt(mount, field) !== '')
          findings.forbidden(
            at.child('volumeMounts').index(place).child(field),
            'cannot be set for an Ephemeral Container',
          );
  }
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === '') return true;
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export function validateImageText(container: Fields, path: FieldPath, findings: Findings): void {
  const image = textAt(container, 'image');
  if (image.trim() !== image)
    findings.invalid(path.child('image'), image, 'must not have leading or trailing whitespace');
}

function validateContainer(
  container: Fields,
  { spec, volumes, claims }: PodContext,
  path: FieldPath,
  findings: Findings,
): void {
  const name = textAt(container, 'name');
  if (name === '') findings.required(path.child('name'));
  else findings.label(path.child('name'), name);
  if (textAt(container, 'image') === '') findings.required(path.child('image'));
  const message = textAt(container, 'terminationMessagePolicy');
  if (message === '') findings.required(path.child('terminationMessagePolicy'));
  else findings.oneOf(path.child('terminationMessagePolicy'), message, ['File', 'FallbackToLogsOnError']);
  validatePorts(objectsAt(container, 'ports'), path.child('ports'), findings);
  validateEnvironment(container, path, findings);
  validateMounts(container, volumes, path, findings);
  validatePullPolicy(textAt(container, 'imagePullPolicy'), path.child('imagePullPolicy'), findings);
  validateContainerResources(objectAt(container, 'resources'), claims, path.child('resources'), findings);
  validateResizePolicy(container, spec, path.child('resizePolicy'), findings);
  validateContainerSecurity(
    objectAt(container, 'securityContext'),
    path.child('securityContext'),
    findings,
    spec['hostUsers'] !== false,
  );
}

function validatePorts(ports: readonly Fields[], path: FieldPath, findings: Findings): void {
  const names = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const at = path.index(index);
    const [name, protocol] = [textAt(port, 'name'), textAt(port, 'protocol')];
    if (name !== '') {
      const problems = validatePortName(name);
      findings.problems(at.child('name'), name, problems);
      if (problems.length === 0 && names.has(name)) findings.duplicate(at.child('name'), name);
      names.add(name);
    }
    const number = numberAt(port, 'containerPort');
    if (number === 0) findings.required(at.child('containerPort'));
    else findings.problems(at.child('containerPort'), number, validatePortNumber(number));
    const host = numberAt(port, 'hostPort');
    if (host !== 0) findings.problems(at.child('hostPort'), host, validatePortNumber(host));
    if (protocol === '') findings.required(at.child('protocol'));
    else findings.oneOf(at.child('protocol'), protocol, PROTOCOLS);
  }
}

function validateHostPorts(containers: readonly Fields[], path: FieldPath, findings: Findings): void {
  const taken = new Set<string>();
  for (const [index, container] of containers.entries()) {
    for (const [place, port] of objectsAt(container, 'ports').entries()) {
      const host = numberAt(port, 'hostPort');
      if (host === 0) continue;
      const key = `${textAt(port, 'protocol')}/${textAt(port, 'hostIP')}/${host}`;
      if (taken.has(key))
        findings.duplicate(path.index(index).child('ports').index(place).child('hostPort'), key);
      taken.add(key);
    }
  }
}

function validateHooks(container: Fields, spec: Fields, path: FieldPath, findings: Findings): void {
  const lifecycle = objectAt(container, 'lifecycle');
  const os = objectAt(spec, 'os');
  if (lifecycle !== undefined)
    validateLifecycle(lifecycle, path.child('lifecycle'), findings, {
      grace: spec['terminationGracePeriodSeconds'],
      os: os === undefined ? undefined : textAt(os, 'name'),
    });
  validateProbes(container, path, findings);
}

function validateRestart(container: Fields, path: FieldPath, findings: Findings, isInit = false): void {
  const policy = container['restartPolicy'];
  const rules = objectsAt(container, 'restartPolicyRules');
  const at = path.child('restartPolicyRules');
  if (policy === undefined) {
    if (rules.length > 0)
      findings.required(
        path.child('restartPolicy'),
        'must specify restartPolicy when restart rules are used',
      );
    // Of an init container nothing more is said then.
    if (isInit) return;
  } else findings.oneOf(path.child('restartPolicy'), policy, RESTARTS);
  if (rules.length > 20) findings.tooMany(at, rules.length, 20);
  for (const [index, rule] of rules.entries()) {
    const where = at.index(index);
    findings.oneOf(where.child('action'), textAt(rule, 'action'), ['Restart', 'RestartAllContainers']);
    const codes = objectAt(rule, 'exitCodes');
    if (codes === undefined) findings.required(where.child('exitCodes'), 'must be specified');
    else {
      findings.oneOf(where.child('exitCodes', 'operator'), textAt(codes, 'operator'), ['In', 'NotIn']);
      const values = Array.isArray(codes['values']) ? codes['values'].length : 0;
      if (values > 255) findings.tooMany(where.child('exitCodes', 'values'), values, 255);
    }
  }
}

function validateResizePolicy(container: Fields, spec: Fields, path: FieldPath, findings: Findings): void {
  const seen = new Set<string>();
  for (const [index, policy] of objectsAt(container, 'resizePolicy').entries()) {
    const [name, restart] = [textAt(policy, 'resourceName'), textAt(policy, 'restartPolicy')];
    if (seen.has(name)) findings.duplicate(path.index(index), name);
    seen.add(name);
    if (name === '') findings.required(path);
    else findings.oneOf(path, name, ['cpu', 'memory']);
    if (restart === '') findings.required(path);
    else findings.oneOf(path, restart, ['NotRequired', 'RestartContainer']);
    if (spec['restartPolicy'] === 'Never' && restart !== 'NotRequired')
      findings.invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
  }
}
