import type { Cluster } from '@windlass/cluster';
import type { UpFlags } from './up-flags.ts';

/** What a newcomer sees when everything serves. */
export function firstScreen(
  { server, kubeconfigPath }: Cluster,
  flags: UpFlags,
  ms: number,
  isTty: boolean,
): string {
  const path = kubeconfigPath ?? '';
  const state = flags.inMemory
    ? 'in memory, gone when it stops'
    : `in ${flags.dataDir}, there again at the next start`;
  return `${isTty ? '\r\u001b[2K' : ''}Windlass is ready after ${(ms / 1000).toFixed(1)} s.

  API server   ${server}
  state        ${state}
  kubeconfig   ${path}

Try, in another terminal:

  export KUBECONFIG=${path}
  kubectl get nodes
  kubectl create deployment hello --image=nginx --replicas=3
  kubectl get pods --watch

Stop it with Ctrl-C.
`;
}
