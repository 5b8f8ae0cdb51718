// What the kubelet does to a container by itself: probes, and hooks when the container starts and stops.
import {
  type FieldPath,
  validateHttpHeaderName,
  validatePortName,
  validatePortNumber,
} from '@windlass/apimachinery';
import type {
  Container,
  ExecAction,
  HTTPGetAction,
  Lifecycle,
  LifecycleHandler,
  PodSpec,
  Probe,
  SleepAction,
} from '@windlass/apimachinery/api/core/v1';
import type { IntOrString } from '@windlass/apimachinery/api/meta/v1';
import type { View } from '../../../resource/views.ts';
import type { Findings } from '../../shared/findings.ts';

const NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
] as const;
const RESERVED_SIGNALS = new Set(['SIGKILL', 'SIGTERM']);

export function validateActions(
  container: View<Container>,
  spec: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  if (container.lifecycle !== undefined)
    validateLifecycle(container.lifecycle, spec, path.child('lifecycle'), findings);
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe'] as const) {
    const probe = container[field];
    if (probe !== undefined) validateProbe(probe, field, path.child(field), findings);
  }
}

function validateProbe(probe: View<Probe>, field: string, path: FieldPath, findings: Findings): void {
  validateProbeAction(probe, path, findings);
  findings.noneNegative(path, probe, NUMBERS);
  const { terminationGracePeriodSeconds: grace, successThreshold } = probe;
  const at = path.child('terminationGracePeriodSeconds');
  if (grace !== undefined && grace <= 0) findings.invalid(at, grace, 'must be greater than 0');
  if (field !== 'readinessProbe') {
    if (successThreshold !== 1)
      findings.invalid(path.child('successThreshold'), successThreshold, 'must be 1');
  } else if (grace !== undefined) findings.invalid(at, grace, 'must not be set for readinessProbes');
}

function validateLifecycle(
  lifecycle: View<Lifecycle>,
  { os, terminationGracePeriodSeconds: grace }: View<PodSpec>,
  path: FieldPath,
  findings: Findings,
): void {
  for (const field of ['postStart', 'preStop'] as const) {
    const hook = lifecycle[field];
    if (hook !== undefined) validateHookAction(hook, grace, path.child(field), findings);
  }
  const { stopSignal: signal } = lifecycle;
  if (signal === undefined) return;
  const at = path.child('stopSignal');
  if (os === undefined) findings.forbidden(at, 'may not be set for containers with empty `spec.os.name`');
  else if (os.name === 'windows' && !RESERVED_SIGNALS.has(signal))
    findings.notSupported(at, signal, [...RESERVED_SIGNALS]);
}

function validateProbeAction(
  { exec, httpGet, tcpSocket, grpc }: View<Probe>,
  path: FieldPath,
  findings: Findings,
): void {
  const one = new OneAction(path, findings);
  one.check('exec', exec, validateExec);
  one.check('httpGet', httpGet, validateHttpGet);
  one.check('tcpSocket', tcpSocket, validatePortOf);
  one.check('grpc', grpc, validatePortOf);
  one.end();
}

function validateHookAction(
  { exec, httpGet, tcpSocket, sleep }: View<LifecycleHandler>,
  grace: number | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  const one = new OneAction(path, findings);
  one.check('exec', exec, validateExec);
  one.check('httpGet', httpGet, validateHttpGet);
  one.check('tcpSocket', tcpSocket, validatePortOf);
  one.check('sleep', sleep, (action, at) => validateSleep(action, grace, at, findings));
  one.end();
}

/** Of several actions only the first is looked at; the others may not be there. */
class OneAction {
  readonly #path: FieldPath;
  readonly #findings: Findings;
  #count = 0;

  constructor(path: FieldPath, findings: Findings) {
    this.#path = path;
    this.#findings = findings;
  }

  check<T>(
    field: string,
    action: T | undefined,
    validate: (action: T, path: FieldPath, findings: Findings) => void,
  ): void {
    if (action === undefined) return;
    const at = this.#path.child(field);
    if (this.#count++ > 0) this.#findings.forbidden(at, 'may not specify more than 1 handler type');
    else validate(action, at, this.#findings);
  }

  end(): void {
    if (this.#count === 0) this.#findings.required(this.#path, 'must specify a handler type');
  }
}

function validateExec({ command }: View<ExecAction>, path: FieldPath, findings: Findings): void {
  if ((command ?? []).length === 0) findings.required(path.child('command'));
}

function validateHttpGet(action: View<HTTPGetAction>, path: FieldPath, findings: Findings): void {
  const { path: file = '', scheme = '', httpHeaders } = action;
  if (file === '') findings.required(path.child('path'));
  validatePortOf(action, path, findings);
  findings.oneOf(path.child('scheme'), scheme, ['HTTP', 'HTTPS']);
  for (const { name = '' } of httpHeaders ?? [])
    findings.problems(path.child('httpHeaders'), name, validateHttpHeaderName(name));
}

function validateSleep(
  { seconds = 0 }: View<SleepAction>,
  grace: number | undefined,
  path: FieldPath,
  findings: Findings,
): void {
  if (grace !== undefined && (seconds < 0 || seconds > grace))
    findings.invalid(
      path,
      seconds,
      `must be non-negative and less than terminationGracePeriodSeconds (${grace})`,
    );
}

function validatePortOf(
  { port = 0 }: { readonly port?: IntOrString },
  path: FieldPath,
  findings: Findings,
): void {
  const at = path.child('port');
  if (typeof port === 'string') findings.problems(at, port, validatePortName(port));
  else findings.problems(at, port, validatePortNumber(port));
}
