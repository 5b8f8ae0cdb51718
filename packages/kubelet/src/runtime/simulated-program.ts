import type { DeepReadonly } from '@windlass/apimachinery';
import { controllerOf, InvalidDurationError, parseDuration } from '@windlass/apimachinery';
import type { ContainerRequest, ProbeKind, ProbeOutcome } from './runtime.ts';
import { runScript } from './simulated-script.ts';

/** Annotations of a pod that steer its containers: `simulation.windlass.dev/exit-code: "1"`. */
export const SIMULATION_PREFIX = 'simulation.windlass.dev/';

/** What a simulated container does. */
export interface SimulatedProgram {
  /** It ends by itself after so long; undefined: it runs until it is stopped. */
  readonly end: { readonly afterMs: number; readonly exitCode: number } | undefined;
  readonly message: string | undefined;
  /** How long it takes to end once it is told to, and with which code. */
  readonly stop: { readonly afterMs: number; readonly exitCode: number };
  readonly pull: { readonly afterMs: number; readonly error: string | undefined };
}

/** Ended by SIGTERM, as a program is that does not handle it. */
const TERMINATED = 143;

/**
 * Reads a pod's annotations, then its command. Each annotation may be given for one container by its name:
 * `simulation.windlass.dev/exit-code.web`.
 */
export function programOf(request: ContainerRequest): SimulatedProgram {
  const get = annotationReader(request);
  const runFor = duration(get('run-for'));
  const exitCode = integer(get('exit-code'));
  const scripted = runScript([...(request.container.command ?? []), ...(request.container.args ?? [])]);
  const isSteered = runFor !== undefined || exitCode !== undefined;
  const isRunToEnd = (request.isInit && request.container.restartPolicy !== 'Always') || isOfJob(request);
  return {
    end: isSteered
      ? { afterMs: runFor ?? 0, exitCode: exitCode ?? 0 }
      : (scripted ?? (isRunToEnd ? { afterMs: 0, exitCode: 0 } : undefined)),
    message: get('message'),
    stop: {
      // Of the hooks before a stop, only a sleep takes time here.
      afterMs:
        duration(get('stop-after')) ?? (request.container.lifecycle?.preStop?.sleep?.seconds ?? 0) * 1000,
      exitCode: integer(get('stop-exit-code')) ?? TERMINATED,
    },
    pull: { afterMs: duration(get('pull-for')) ?? 0, error: get('pull-error') },
  };
}

/**
 * A probe succeeds unless an annotation says otherwise: `readiness: "false"` for always, `readiness-after:
 * 10s` for the first ten seconds, `liveness-until: 1m` from the first minute on.
 */
export function probeOutcome(request: ContainerRequest, kind: ProbeKind, runningMs: number): ProbeOutcome {
  const get = annotationReader(request);
  const after = duration(get(`${kind}-after`)) ?? 0;
  const until = duration(get(`${kind}-until`)) ?? Number.POSITIVE_INFINITY;
  const isAllowed = get(kind) !== 'false';
  const isSuccess = isAllowed && runningMs >= after && runningMs < until;
  const isSteady =
    !isAllowed || (runningMs >= after && (until === Number.POSITIVE_INFINITY || runningMs >= until));
  return { isSuccess, isSteady, ...(!isSuccess && { output: `the simulation says that ${kind} fails` }) };
}

type Read = (name: string) => string | undefined;

function annotationReader({ pod, container }: DeepReadonly<ContainerRequest>): Read {
  const annotations = pod.metadata?.annotations ?? {};
  return (name) =>
    annotations[`${SIMULATION_PREFIX}${name}.${container.name}`] ??
    annotations[`${SIMULATION_PREFIX}${name}`];
}

/** Pods of jobs are there to end; without a word to the contrary they do so at once. */
function isOfJob({ pod }: ContainerRequest): boolean {
  return controllerOf(pod)?.kind === 'Job';
}

function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  return Number.isInteger(value) && value >= 0 && value <= 255 ? value : undefined;
}

/** What cannot be read counts as not said: an annotation must not stop a node. */
function duration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return Math.max(0, parseDuration(text));
  } catch (error) {
    if (error instanceof InvalidDurationError) return undefined;
    throw error;
  }
}
