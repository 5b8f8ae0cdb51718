import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container } from '@windlass/apimachinery/api/core/v1';
import type { ContainerExit } from '../runtime/runtime.ts';
import type { ContainerStatus } from './generated/cri.ts';

/** What a container has left to be read. */
export interface LastWords {
  /** In the file that it may write for that. */
  readonly message: string;
  /** The end of what it printed. */
  readonly log: string;
}

/** The runtime does not know the container any more. */
export const LOST: ContainerExit = {
  exitCode: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
};

/** The end of a container, as people see it. */
export function exitOf(
  { exitCode, reason, message, finishedAt }: ContainerStatus,
  { terminationMessagePolicy }: DeepReadonly<Container>,
  words: LastWords,
): ContainerExit & { readonly finishedAt: number } {
  const isFromLog =
    words.message === '' && exitCode !== 0 && terminationMessagePolicy === 'FallbackToLogsOnError';
  // What the runtime says is of containers that could not run at all.
  const text = [message, isFromLog ? words.log : words.message].filter((each) => each !== '').join(': ');
  return {
    exitCode,
    reason: reason === '' ? (exitCode === 0 ? 'Completed' : 'Error') : reason,
    ...(text !== '' && { message: text }),
    finishedAt: milliseconds(finishedAt),
  };
}

/** Of a time in nanoseconds. */
export function milliseconds(nanoseconds: number): number {
  return Math.floor(nanoseconds / 1_000_000);
}
