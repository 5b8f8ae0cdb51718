import { join } from 'node:path';
import { type Client, createClient, loadConfig } from '@windlass/client';
import { noClusterText, SELECTION_FLAGS, SELECTION_OPTIONS, selectCluster } from '../clusters/selection.ts';
import { UsageError } from '../command-line/exit.ts';
import { notEmpty } from '../command-line/flag-values.ts';

/** For the help of commands that work on a cluster of windlass up, or on any other. */
export const CONNECTION_FLAGS = `${SELECTION_FLAGS}
  --kubeconfig FILE any other cluster              (default the one above)
  --context NAME    one of the contexts of that file`;

export const CONNECTION_OPTIONS = {
  ...SELECTION_OPTIONS,
  kubeconfig: { type: 'string' },
  context: { type: 'string' },
} as const;

type Values = { readonly [Flag in keyof typeof CONNECTION_OPTIONS]?: string | undefined };

/** A client of the cluster that the flags choose, as its administrator. @throws UsageError */
export async function connectAs(values: Values, fieldManager: string): Promise<Client> {
  const path = await kubeconfigOf(values);
  const { context } = values;
  const config = await loadConfig({ path, ...(context !== undefined && { context }) });
  return createClient({ config, fieldManager });
}

async function kubeconfigOf({ kubeconfig, context, ...selection }: Values): Promise<string> {
  if (kubeconfig !== undefined) return notEmpty('--kubeconfig', kubeconfig);
  if (context !== undefined) throw new UsageError('--context needs --kubeconfig');
  const cluster = await selectCluster(selection);
  if (cluster === undefined) throw new UsageError(`${noClusterText(selection)}; --kubeconfig names another`);
  return join(cluster.dataDir, 'kubeconfig');
}
