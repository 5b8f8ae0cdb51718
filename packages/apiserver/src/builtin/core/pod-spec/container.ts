// What holds for every container, of whichever sort.
import type { FieldPath } from '@windlass/apimachinery';
import type { Container, ContainerRestartRule, PodSpec, Volume } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';
import { validateEnvironment } from './environment.ts';
import { validateMounts } from './mounts.ts';
import { validatePorts } from './ports.ts';
import { validatePullPolicy } from './pull-policy.ts';
import { validateContainerResources } from './resources.ts';
import { validateContainerSecurity } from './security.ts';

/** What containers are checked against: the pod that they are in. */
export interface PodContext {
  readonly spec: View<PodSpec>;
  readonly volumes: ReadonlyMap<string, View<Volume>>;
  readonly claims: ReadonlySet<string>;
}

const RESTARTS = ['Always', 'Never', 'OnFailure'];
const MAX_RULES = 20;
const MAX_CODES = 255;

export function validateContainer(
  container: View<Container>,
  { spec, volumes, claims }: PodContext,
  path: FieldPath,
  findings: Findings,
): void {
  const { name = '', image = '', terminationMessagePolicy: message = '' } = container;
  if (name === '') findings.required(path.child('name'));
  else findings.label(path.child('name'), name);
  if (image === '') findings.required(path.child('image'));
  if (message === '') findings.required(path.child('terminationMessagePolicy'));
  else findings.oneOf(path.child('terminationMessagePolicy'), message, ['File', 'FallbackToLogsOnError']);
  validatePorts(container.ports ?? [], path.child('ports'), findings);
  validateEnvironment(container, path, findings);
  validateMounts(container, volumes, path, findings);
  validatePullPolicy(container.imagePullPolicy, path.child('imagePullPolicy'), findings);
  validateContainerResources(container.resources, claims, path.child('resources'), findings);
  validateResizePolicy(container, spec, path.child('resizePolicy'), findings);
  validateContainerSecurity(
    container.securityContext,
    path.child('securityContext'),
    findings,
    spec.hostUsers !== false,
  );
}

export function validateImageText(
  { image = '' }: View<Container>,
  path: FieldPath,
  findings: Findings,
): void {
  if (image.trim() !== image)
    findings.invalid(path.child('image'), image, 'must not have leading or trailing whitespace');
}

export function validateRestart(
  { restartPolicy: policy, restartPolicyRules }: View<Container>,
  path: FieldPath,
  findings: Findings,
  isInit = false,
): void {
  const rules = restartPolicyRules ?? [];
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
  if (rules.length > MAX_RULES) findings.tooMany(at, rules.length, MAX_RULES);
  for (const [index, rule] of rules.entries()) validateRestartRule(rule, at.index(index), findings);
}

function validateRestartRule(
  { action = '', exitCodes }: View<ContainerRestartRule>,
  path: FieldPath,
  findings: Findings,
): void {
  findings.oneOf(path.child('action'), action, ['Restart', 'RestartAllContainers']);
  if (exitCodes === undefined) {
    findings.required(path.child('exitCodes'), 'must be specified');
    return;
  }
  findings.oneOf(path.child('exitCodes', 'operator'), exitCodes.operator ?? '', ['In', 'NotIn']);
  const { length } = exitCodes.values ?? [];
  if (length > MAX_CODES) findings.tooMany(path.child('exitCodes', 'values'), length, MAX_CODES);
}

function validateResizePolicy(
  { resizePolicy }: View<Container>,
  spec: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  const seen = new Set<string>();
  for (const [index, policy] of (resizePolicy ?? []).entries()) {
    const { resourceName: name = '', restartPolicy: restart = '' } = policy;
    if (seen.has(name)) findings.duplicate(path.index(index), name);
    seen.add(name);
    if (name === '') findings.required(path);
    else findings.oneOf(path, name, ['cpu', 'memory']);
    if (restart === '') findings.required(path);
    else findings.oneOf(path, restart, ['NotRequired', 'RestartContainer']);
    if (spec.restartPolicy === 'Never' && restart !== 'NotRequired')
      findings.invalid(path, restart, "must be 'NotRequired' when pod `restartPolicy` is 'Never'");
  }
}
