import type { DeepReadonly } from '@windlass/apimachinery';
import { controllerOf } from '@windlass/apimachinery';
import type { Container } from '@windlass/apimachinery/api/core/v1';
import { expand } from '../environment/expand.ts';
import type { ContainerRequest } from './runtime.ts';
import { runsForEver } from './simulated-image.ts';
import { runScript } from './simulated-script.ts';
import { annotationReader, duration, exitCodeIn } from './simulation-annotations.ts';

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
 * @param terminatingMs how long a process takes to end when nothing is said about it
 */
export function programOf(request: ContainerRequest, terminatingMs = 0): SimulatedProgram {
  const get = annotationReader(request);
  const runFor = duration(get('run-for'));
  const exitCode = exitCodeIn(get('exit-code'));
  const scripted = runScript(commandOf(request.container));
  const isSteered = runFor !== undefined || exitCode !== undefined;
  const isRunToEnd =
    !runsForEver(request.container) &&
    ((request.isInit && request.container.restartPolicy !== 'Always') || isOfJob(request));
  const end = isSteered
    ? { afterMs: runFor ?? 0, exitCode: exitCode ?? 0 }
    : (scripted ?? (isRunToEnd ? { afterMs: 0, exitCode: 0 } : undefined));
  return {
    end: end?.afterMs === Number.POSITIVE_INFINITY ? undefined : end,
    message: get('message'),
    stop: {
      afterMs: duration(get('stop-after')) ?? hookMs(request.container) + terminatingMs,
      exitCode: exitCodeIn(get('stop-exit-code')) ?? TERMINATED,
    },
    pull: { afterMs: duration(get('pull-for')) ?? 0, error: get('pull-error') },
  };
}

/** Its command with the variables that are known without asking anybody. */
function commandOf({ command = [], args = [], env = [] }: DeepReadonly<Container>): string[] {
  const values = new Map<string, string>();
  for (const { name, value } of env)
    if (value !== undefined)
      values.set(
        name,
        expand(value, (other) => values.get(other) ?? `$(${other})`),
      );
  return [...command, ...args].map((word) => expand(word, (name) => values.get(name) ?? `$(${name})`));
}

/** How long the hook before a stop takes: a sleep, or a command that is known to end. */
function hookMs({ lifecycle }: DeepReadonly<Container>): number {
  const { sleep, exec } = lifecycle?.preStop ?? {};
  return sleep === undefined ? (runScript(exec?.command ?? [])?.afterMs ?? 0) : sleep.seconds * 1000;
}

/** Pods of jobs are there to end; without a word to the contrary they do so at once. */
function isOfJob({ pod }: ContainerRequest): boolean {
  return controllerOf(pod)?.kind === 'Job';
}
