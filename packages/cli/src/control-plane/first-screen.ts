import type { BackendChoice, RunningCluster } from '@windlass/cluster';
import type { UpFlags } from './up-flags.ts';

/** What a newcomer sees when everything serves. */
export function firstScreen(
  cluster: RunningCluster,
  flags: UpFlags,
  { page, containers }: { readonly page: string | undefined; readonly containers: string | undefined },
  ms: number,
): string {
  const path = cluster.kubeconfigPath ?? '';
  const state = flags.inMemory
    ? 'in memory, gone when it stops'
    : `in ${flags.dataDir}, there again at the next start`;
  const drives =
    cluster.driveBackend === undefined ? '' : `  drives       ${drivesText(cluster.driveBackend)}\n`;
  return `Windlass is ready after ${(ms / 1000).toFixed(1)} s.

  API server   ${cluster.server}
  state        ${state}
${containers === undefined ? '' : `  containers   ${containers}\n`}${drives}  kubeconfig   ${path}
${page === undefined ? '' : `  console      ${page}\n`}
Try, in another terminal:

  export KUBECONFIG=${path}
  kubectl get nodes
  kubectl create deployment hello --image=nginx --replicas=3
  kubectl get pods --watch

Stop it with Ctrl-C.
`;
}

function drivesText({ backend, reason }: BackendChoice): string {
  const what = backend === 'loop' ? 'loop devices with XFS' : 'plain directories, without size limits';
  return `${what} (${reason}); storage class directpv-min-io`;
}
