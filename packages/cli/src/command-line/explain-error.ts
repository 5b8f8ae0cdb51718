import { toError } from '@windlass/base';

/** What Node puts on the errors of system calls. */
interface SystemError {
  readonly code?: string;
  readonly path?: string;
  readonly port?: number;
  readonly address?: string;
}

/** One sentence for people: what went wrong and what to do. */
export function explainError(thrown: unknown): string {
  const error = toError(thrown);
  // Each field is optional: an error of another kind has none of them.
  const { code, path = 'the data directory', port = 0, address = 'this machine' } = error as SystemError;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${address} is in use; stop what uses it, or choose another with --port (0 picks a free one)`;
    case 'EADDRNOTAVAIL':
      return `this machine has no address ${address}; choose another with --host`;
    case 'EACCES':
    case 'EPERM':
      return `no permission: ${error.message}; choose another directory with --data-dir or another port with --port, or run as a user who may`;
    case 'ENOSPC':
      return 'the disk is full; free some space and start again, nothing was damaged';
    case 'EROFS':
      return `${path} is on a file system that cannot be written; choose another directory with --data-dir`;
    default:
      return error.message;
  }
}
