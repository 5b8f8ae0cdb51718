import { realClock } from '@windlass/base';
import type { MachineOptions } from '@windlass/cluster';
import { CONTAINERD_ENDPOINT, findRuntime, RuntimeEndpointError } from '@windlass/kubelet';
import { UsageError } from '../command-line/exit.ts';

/** What runs the pods of `windlass up`. */
export const RUNTIMES = ['simulated', 'containerd', 'auto'] as const;
export type RuntimeChoice = (typeof RUNTIMES)[number];

export interface WantedRuntime {
  readonly runtime: RuntimeChoice;
  /** @default where containerd listens */
  readonly endpoint: string | undefined;
}

export interface ChosenRuntime {
  /** Undefined: containers are simulated. */
  readonly machine: MachineOptions | undefined;
  /** What was chosen, and why, for people; undefined when nobody asked. */
  readonly reason: string | undefined;
}

/** @throws UsageError */
export function runtimeChoice(text: string | undefined, endpoint: string | undefined): RuntimeChoice {
  const choice = RUNTIMES.find(
    (each) => each === (text ?? (endpoint === undefined ? 'simulated' : 'containerd')),
  );
  if (choice === undefined)
    throw new UsageError(`--runtime must be simulated, containerd or auto, but it is "${text}"`);
  if (choice === 'simulated' && endpoint !== undefined)
    throw new UsageError(
      '--runtime-endpoint is for --runtime containerd or auto; simulated containers need none',
    );
  return choice;
}

/**
 * Looks for the runtime that is wanted.
 * @throws RuntimeEndpointError when it must be there and is not
 */
export async function chooseRuntime({
  runtime,
  endpoint = CONTAINERD_ENDPOINT,
}: WantedRuntime): Promise<ChosenRuntime> {
  if (runtime === 'simulated') return { machine: undefined, reason: undefined };
  try {
    const { name, problem } = await findRuntime(endpoint, realClock);
    if (problem !== undefined) throw new RuntimeEndpointError(problem);
    return { machine: { endpoint }, reason: `${name}, on this machine` };
  } catch (error) {
    if (runtime !== 'auto' || !(error instanceof RuntimeEndpointError)) throw error;
    return { machine: undefined, reason: `simulated (${error.message})` };
  }
}
