import { isStatus, StatusError } from '@windlass/apimachinery';
import { TransportError } from '../errors.ts';

/** How a command ended. */
export interface CommandExit {
  readonly exitCode: number;
}

/**
 * What the error stream of a command says at its end.
 * @throws StatusError when the command could not be run
 * @throws TransportError when nothing was said: the connection broke
 */
export function exitOf(text: string, what: string): CommandExit {
  if (text === '')
    throw new TransportError(`${what} failed: the connection ended before the command did`, {
      code: 'CONNECTION_LOST',
      sent: true,
    });
  const status = parsed(text);
  if (!isStatus(status))
    throw new TransportError(`${what} failed: ${text.slice(0, 200)}`, { code: 'BAD_RESPONSE', sent: true });
  if (status.status === 'Success') return { exitCode: 0 };
  const code = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message;
  if (status.reason === 'NonZeroExitCode' && code !== undefined && /^\d+$/.test(code))
    return { exitCode: Number(code) };
  throw new StatusError(status);
}

/** The Status, which on this stream names no kind. */
function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null
      ? { kind: 'Status', apiVersion: 'v1', ...value }
      : value;
  } catch {
    return undefined;
  }
}
