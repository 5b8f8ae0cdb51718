import { spawn } from 'node:child_process';
import { onAbort } from '@windlass/base';
import { EXIT_FAILED, UsageError } from '../command-line/exit.ts';

/** Runs the kubelet until it ends, or the signal asks it to. Resolves with its exit code. */
export function runKubelet(program: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
    const dispose = onAbort(signal, () => void child.kill('SIGTERM'));
    child.once('error', (error) => {
      dispose();
      reject(new UsageError(`the kubelet cannot be started: ${error.message}; --kubelet says where it is`));
    });
    child.once('exit', (code) => {
      dispose();
      // Asked to stop, it may end by the signal.
      resolve(code ?? (signal.aborted ? 0 : EXIT_FAILED));
    });
  });
}
