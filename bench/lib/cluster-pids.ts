import { globSync, readFileSync } from 'node:fs';
import type { RealCluster } from '../../tests/real/harness/real-cluster.ts';

/** Both programs of the cluster have the address of its etcd on their command line. */
export function clusterPids({ etcdUrl }: RealCluster): number[] {
  return globSync('/proc/[0-9]*/cmdline')
    .filter((file) => {
      try {
        const [program = '', ...args] = readFileSync(file, 'utf8').split('\0');
        return (
          /(?:etcd|kube-apiserver[^/]*)$/.test(program) && args.some((argument) => argument.includes(etcdUrl))
        );
      } catch {
        return false;
      }
    })
    .map((file) => Number(file.split('/')[2]));
}
