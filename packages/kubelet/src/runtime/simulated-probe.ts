import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container, Probe } from '@windlass/apimachinery/api/core/v1';
import type { ContainerRequest, ProbeKind, ProbeOutcome } from './runtime.ts';
import { hasFile, lookedAt } from './simulated-files.ts';
import { isWellFor } from './simulated-image.ts';
import { runScript } from './simulated-script.ts';
import { annotationReader, duration } from './simulation-annotations.ts';

const STEADY: ProbeOutcome = { isSuccess: true, isSteady: true };

/**
 * What a probe finds. An annotation decides first: `readiness: "false"` for always, `readiness-after: 10s` for the
 * first ten seconds, `liveness-until: 1m` from the first minute on. Then what is known: a command that is known to
 * fail or to take too long, a file that the container's script makes or removes, a port that `open-ports` leaves out.
 * All else succeeds.
 */
export function probeOutcome(request: ContainerRequest, kind: ProbeKind, runningMs: number): ProbeOutcome {
  return annotated(request, kind, runningMs) ?? observed(request, kind, runningMs) ?? STEADY;
}

function annotated(request: ContainerRequest, kind: ProbeKind, runningMs: number): ProbeOutcome | undefined {
  const get = annotationReader(request);
  const after = duration(get(`${kind}-after`));
  const until = duration(get(`${kind}-until`));
  const isAllowed = get(kind) !== 'false';
  if (isAllowed && after === undefined && until === undefined) return undefined;
  const hasBegun = runningMs >= (after ?? 0);
  const isOver = until !== undefined && runningMs >= until;
  const isSuccess = isAllowed && hasBegun && !isOver;
  const isSteady = !isAllowed || (hasBegun && (until === undefined || isOver));
  return { isSuccess, isSteady, ...(!isSuccess && { output: `the simulation says that ${kind} fails` }) };
}

function observed(request: ContainerRequest, kind: ProbeKind, runningMs: number): ProbeOutcome | undefined {
  const { container } = request;
  const probe = probeOf(container, kind);
  if (probe?.exec !== undefined) return commandOutcome(container, probe, runningMs);
  const wellMs = isWellFor(container);
  if (probe?.httpGet !== undefined && wellMs !== undefined)
    return runningMs < wellMs ? { isSuccess: true } : failure('HTTP probe failed with statuscode: 500', true);
  return portOutcome(request, probe);
}

function probeOf(container: DeepReadonly<Container>, kind: ProbeKind): DeepReadonly<Probe> | undefined {
  if (kind === 'startup') return container.startupProbe;
  return kind === 'readiness' ? container.readinessProbe : container.livenessProbe;
}

function commandOutcome(
  { command = [], args = [] }: DeepReadonly<Container>,
  { exec, timeoutSeconds = 1 }: DeepReadonly<Probe>,
  runningMs: number,
): ProbeOutcome | undefined {
  const asked = exec?.command ?? [];
  const file = lookedAt(asked);
  const isThere = file === undefined ? undefined : hasFile([...command, ...args], file, runningMs);
  // The file may come or go later.
  if (isThere !== undefined)
    return isThere
      ? { isSuccess: true }
      : failure(`cat: can't open '${file}': No such file or directory`, false);
  const end = runScript(asked);
  if (end === undefined) return undefined;
  if (end.afterMs > timeoutSeconds * 1000)
    return failure(`command timed out: "${asked.join(' ')}" timed out after ${timeoutSeconds}s`, true);
  return end.exitCode === 0 ? STEADY : failure('', true);
}

/** Nothing is known of the ports that a container opens, unless an annotation lists them all. */
function portOutcome(
  request: ContainerRequest,
  probe: DeepReadonly<Probe> | undefined,
): ProbeOutcome | undefined {
  const open = annotationReader(request)('open-ports');
  const wanted = probe?.httpGet?.port ?? probe?.tcpSocket?.port ?? probe?.grpc?.port;
  if (open === undefined || wanted === undefined) return undefined;
  const named = request.container.ports?.find(({ name }) => name === wanted)?.containerPort;
  const port = String(named ?? wanted);
  return open.split(/[\s,]+/).includes(port)
    ? undefined
    : failure(`dial tcp :${port}: connect: connection refused`, true);
}

function failure(output: string, isSteady: boolean): ProbeOutcome {
  return { isSuccess: false, isSteady, output };
}
