import type { RemoteCommand } from '@windlass/streams';
import { ProgramNotFoundError } from '../shell/run-command.ts';

/** How a command ended, as its client is told. */
export type CommandEnd =
  | { readonly type: 'exited'; readonly code: number }
  | { readonly type: 'failed'; readonly message: string };

/** What is written to the error stream; empty when there is nothing to say. */
export function statusText(end: CommandEnd, form: RemoteCommand['status']): string {
  const { message, ...rest } = statusOf(end);
  if (form === 'json') return JSON.stringify({ metadata: {}, ...rest, ...(message !== '' && { message }) });
  return message;
}

function statusOf(end: CommandEnd): { readonly message: string } & Record<string, unknown> {
  if (end.type === 'failed')
    return {
      status: 'Failure',
      message: `Internal error occurred: error executing command in container: ${end.message}`,
      reason: 'InternalError',
      code: 500,
    };
  if (end.code === 0) return { status: 'Success', message: '' };
  return {
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${end.code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(end.code) }] },
  };
}

/** In the words of a container runtime. */
export function failureOf(error: unknown): CommandEnd {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof ProgramNotFoundError)) return { type: 'failed', message };
  return {
    type: 'failed',
    message: `failed to exec in container: OCI runtime exec failed: exec failed: unable to start container process: ${message}: unknown`,
  };
}
