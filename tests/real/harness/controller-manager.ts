import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { httpsGet } from './https-get.ts';
import { ensureKubernetesProgram } from './kubernetes-program.ts';
import type { Log } from './needs.ts';
import type { RealClusterAccess } from './real-cluster.ts';
import { ServerProcess } from './server-process.ts';

export interface RealControllerManagerOptions {
  /** Names, as `--controllers` takes them. @default all that are on by default */
  readonly controllers?: readonly string[];
  /** Flags after the harness's own; the last of a flag given twice wins. @default none */
  readonly args?: readonly string[];
  /** Told about a slow build. @default nothing is said */
  readonly log?: Log;
}

/** What such a program needs to know of a cluster, ours or the harness's. */
export interface ControlPlaneAccess
  extends Pick<RealClusterAccess, 'kubeconfigPath' | 'ca' | 'caFile' | 'serviceAccountKeyFile'> {
  readonly admin: { readonly cert: string; readonly key: string };
}

export interface RealControllerManager extends AsyncDisposable {
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

/** The real kube-controller-manager of the pinned release, as an administrator. */
export async function startRealControllerManager(
  cluster: ControlPlaneAccess,
  options: RealControllerManagerOptions = {},
): Promise<RealControllerManager> {
  const program = await ensureKubernetesProgram('kube-controller-manager', options.log ?? (() => {}));
  const folder = await mkdtemp(join(tmpdir(), 'windlass-real-controllers-'));
  // It signs what it writes with the name of its file.
  const named = join(folder, 'kube-controller-manager');
  await symlink(program, named);
  const logFile = join(folder, 'kube-controller-manager.log');
  const [port = 0] = await freePorts(1);
  const { kubeconfigPath, ca, caFile, serviceAccountKeyFile, admin } = cluster;
  const process = new ServerProcess({
    name: 'kube-controller-manager',
    program: named,
    logFile,
    args: [
      `--kubeconfig=${kubeconfigPath}`,
      `--authentication-kubeconfig=${kubeconfigPath}`,
      `--authorization-kubeconfig=${kubeconfigPath}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      '--leader-elect=false',
      `--root-ca-file=${caFile}`,
      `--service-account-private-key-file=${serviceAccountKeyFile}`,
      '--profiling=false',
      ...(options.controllers === undefined ? [] : [`--controllers=${options.controllers.join()}`]),
      ...(options.args ?? []),
    ],
    // It signs its own certificate, so whose it is cannot be checked.
    isReady: async (signal) => {
      const answer = await httpsGet(`https://127.0.0.1:${port}/healthz`, {
        ca,
        cert: admin.cert,
        key: admin.key,
        signal,
        rejectUnauthorized: false,
      });
      return answer.status === 200;
    },
  });
  await process.start();
  const stop = async (): Promise<void> => {
    await process.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { pid: process.pid ?? 0, logFile, stop, [Symbol.asyncDispose]: stop };
}
