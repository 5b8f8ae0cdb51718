import { type Client, createClient, loadConfig } from '@windlass/client';

export interface ConnectOptions {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
}

/** The way to a cluster. Behind a function so that tests need no file and no socket. */
export type Connect = (options: ConnectOptions) => Promise<Client>;

export const connectByKubeconfig: Connect = async ({ kubeconfig, context }) =>
  createClient({
    config: await loadConfig({
      ...(kubeconfig !== undefined && { path: kubeconfig }),
      ...(context !== undefined && { context }),
    }),
    fieldManager: 'kubectl-directpv',
  });
