import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Our controller manager as users install it, in a process of its own. */
export interface OwnManager extends AsyncDisposable {
  readonly pid: number;
}

export interface OwnManagerOptions {
  readonly kubeconfigPath: string;
  readonly controllers: readonly string[];
  readonly rootCaFile: string;
}

/** @param installed the folder whose node_modules has our package. */
export async function startOwnManager(
  installed: string,
  { kubeconfigPath, controllers, rootCaFile }: OwnManagerOptions,
): Promise<OwnManager> {
  const child = spawn(
    process.execPath,
    [
      join(installed, 'node_modules/windlass/windlass.js'),
      'controller-manager',
      '--kubeconfig',
      kubeconfigPath,
      '--controllers',
      controllers.join(),
      '--root-ca-file',
      rootCaFile,
      '--log-level',
      'error',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn');
  return {
    pid: child.pid ?? 0,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
