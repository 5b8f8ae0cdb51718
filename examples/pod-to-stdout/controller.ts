import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Controller, Manager } from '@windlass/runtime';

export interface PodToStdoutOptions {
  /** Where lines go. @default standard output */
  readonly print?: (line: string) => unknown;
}

/** After so many retries a pod is left alone until it changes. */
export const MAX_RETRIES = 5;

/** Prints what becomes of every pod. A line that cannot be printed is tried again, five times. */
export function registerPodToStdout(manager: Manager, options: PodToStdoutOptions = {}): Controller {
  const { print = (line: string): void => void process.stdout.write(`${line}\n`) } = options;
  const pods = manager.objects(Pod);
  return manager
    .controller('pod-to-stdout')
    .for(Pod)
    .reconcile(
      async (key) => {
        const pod = await pods.find(key);
        if (pod === undefined) await print(`Pod ${key} does not exist anymore`);
        else await print(`Sync/Add/Update for Pod ${pod.metadata.name}`);
      },
      { maxRetries: MAX_RETRIES },
    );
}
