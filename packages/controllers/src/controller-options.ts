import type { NodeLifecycleOptions } from './node-lifecycle/node-lifecycle-options.ts';

/** What every controller is given. */
export interface ControllerOptions {
  readonly name: string;
  /** How many keys it works on at a time. */
  readonly concurrency: number;
  /** PEM of the authority by which pods know the API server; undefined when it is not known. */
  readonly rootCa: string | undefined;
  readonly nodeLifecycle: NodeLifecycleOptions | undefined;
}
