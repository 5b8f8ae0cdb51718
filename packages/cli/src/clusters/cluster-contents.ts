import { isConditionTrue, isNotFound } from '@windlass/apimachinery';
import { Node } from '@windlass/apimachinery/api/core/v1';
import { toError } from '@windlass/base';
import { createClient, loadConfig } from '@windlass/client';
import { DirectPVDrive } from '@windlass/directpv';

/** What a running cluster says of itself. */
export interface ClusterContents {
  readonly nodes: { readonly ready: number; readonly total: number };
  readonly drives: { readonly ready: number; readonly total: number };
}

/** So long a cluster may take to answer somebody who only looks. */
const LONGEST_ANSWER_MS = 5000;

/** Asks a cluster; a text says why it does not answer. */
export async function askCluster(
  kubeconfig: string,
  signal: AbortSignal,
): Promise<ClusterContents | { readonly problem: string }> {
  try {
    const config = await loadConfig({ path: kubeconfig });
    await using client = createClient({ config, maxRetries: 0, timeoutMs: LONGEST_ANSWER_MS });
    const options = { signal };
    const [nodes, drives] = await Promise.all([
      client.resource(Node).list(options),
      client
        .resource(DirectPVDrive)
        .list(options)
        .catch((error: unknown) => {
          // A cluster without drives does not know the kind.
          if (isNotFound(error)) return { items: [] };
          throw error;
        }),
    ]);
    const isReady = ({ status }: Node): boolean => isConditionTrue(status?.conditions, 'Ready');
    return {
      nodes: { ready: nodes.items.filter(isReady).length, total: nodes.items.length },
      drives: {
        ready: drives.items.filter((drive) => drive.status.status === 'Ready').length,
        total: drives.items.length,
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: toError(error).message };
  }
}
