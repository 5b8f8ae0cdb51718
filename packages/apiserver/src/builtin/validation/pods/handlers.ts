// Probes, and what is run when a container starts and stops.
import {
  type FieldPath,
  validateHttpHeaderName,
  validatePortName,
  validatePortNumber,
} from '@windlass/apimachinery';
import { textAt, textsAt } from '../../printers/columns.ts';
import { type Fields, objectAt, objectsAt } from '../../values.ts';
import type { Findings } from '../findings.ts';

const NUMBERS = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];
const RESERVED_SIGNALS = new Set(['SIGKILL', 'SIGTERM']);

export function validateProbes(container: Fields, path: FieldPath, findings: Findings): void {
  for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectAt(container, field);
    if (probe === undefined) continue;
    const at = path.child(field);
    validateHandler(probe, ['exec', 'httpGet', 'tcpSocket', 'grpc'], at, findings, undefined);
    findings.noneNegative(at, probe, NUMBERS);
    const grace = probe['terminationGracePeriodSeconds'];
    if (typeof grace === 'number' && grace <= 0)
      findings.invalid(at.child('terminationGracePeriodSeconds'), grace, 'must be greater than 0');
    if (field !== 'readinessProbe') {
      if (probe['successThreshold'] !== 1)
        findings.invalid(at.child('successThreshold'), probe['successThreshold'], 'must be 1');
    } else if (grace !== undefined)
      findings.invalid(
        at.child('terminationGracePeriodSeconds'),
        grace,
        'must not be set for readinessProbes',
      );
  }
}

export function validateLifecycle(
  lifecycle: Fields,
  path: FieldPath,
  findings: Findings,
  context: { readonly grace: unknown; readonly os: string | undefined },
): void {
  for (const field of ['postStart', 'preStop']) {
    const hook = objectAt(lifecycle, field);
    if (hook !== undefined)
      validateHandler(
        hook,
        ['exec', 'httpGet', 'tcpSocket', 'sleep'],
        path.child(field),
        findings,
        context.grace,
      );
  }
  const signal = lifecycle['stopSignal'];
  if (typeof signal !== 'string') return;
  const at = path.child('stopSignal');
  if (context.os === undefined)
    findings.forbidden(at, 'may not be set for containers with empty `spec.os.name`');
  else if (context.os === 'windows' && !RESERVED_SIGNALS.has(signal))
    findings.notSupported(at, signal, [...RESERVED_SIGNALS]);
}

function validateHandler(
  handler: Fields,
  kinds: readonly string[],
  path: FieldPath,
  findings: Findings,
  grace: unknown,
): void {
  let count = 0;
  for (const kind of kinds) {
    const action = objectAt(handler, kind);
    if (action === undefined) continue;
    const at = path.child(kind);
    if (count++ > 0) findings.forbidden(at, 'may not specify more than 1 handler type');
    else validateAction(kind, action, at, findings, grace);
  }
  if (count === 0) findings.required(path, 'must specify a handler type');
}

function validateAction(
  kind: string,
  action: Fields,
  path: FieldPath,
  findings: Findings,
  grace: unknown,
): void {
  switch (kind) {
    case 'exec':
      if (textsAt(action, 'command').length === 0) findings.required(path.child('command'));
      break;
    case 'httpGet':
      if (textAt(action, 'path') === '') findings.required(path.child('path'));
      validatePort(action['port'], path.child('port'), findings);
      findings.oneOf(path.child('scheme'), textAt(action, 'scheme'), ['HTTP', 'HTTPS']);
      for (const header of objectsAt(action, 'httpHeaders')) {
        const name = textAt(header, 'name');
        findings.problems(path.child('httpHeaders'), name, validateHttpHeaderName(name));
      }
      break;
    case 'sleep': {
      const seconds = Number(action['seconds'] ?? 0);
      if (typeof grace === 'number' && (seconds < 0 || seconds > grace))
        findings.invalid(
          path,
          seconds,
          `must be non-negative and less than terminationGracePeriodSeconds (${grace})`,
        );
      break;
    }
    default:
      validatePort(action['port'], path.child('port'), findings);
  }
}

function validatePort(port: unknown, path: FieldPath, findings: Findings): void {
  if (typeof port === 'string') findings.problems(path, port, validatePortName(port));
  else findings.problems(path, port ?? 0, validatePortNumber(Number(port ?? 0)));
}
