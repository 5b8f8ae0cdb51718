import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from './free-ports.ts';
import { httpsGet } from './https-get.ts';
import { ensureKubernetesProgram, type KubernetesProgram } from './kubernetes-program.ts';
import type { Log } from './needs.ts';
import type { RealClusterAccess } from './real-cluster.ts';
import { ServerProcess } from './server-process.ts';

/** What such a program needs to know of a cluster, ours or the harness's. */
export interface ControlPlaneAccess
  extends Pick<RealClusterAccess, 'kubeconfigPath' | 'ca' | 'caFile' | 'serviceAccountKeyFile'> {
  readonly admin: { readonly cert: string; readonly key: string };
}

export interface ControlPlaneProgram extends AsyncDisposable {
  readonly pid: number;
  readonly logFile: string;
  stop(): Promise<void>;
}

/** A program of the pinned release that works on a cluster, as an administrator. */
export async function startControlPlaneProgram(
  name: Exclude<KubernetesProgram, 'kube-apiserver'>,
  { kubeconfigPath, ca, admin }: ControlPlaneAccess,
  { args, log = () => {} }: { readonly args: readonly string[]; readonly log?: Log | undefined },
): Promise<ControlPlaneProgram> {
  const program = await ensureKubernetesProgram(name, log);
  const folder = await mkdtemp(join(tmpdir(), `windlass-real-${name}-`));
  // It signs what it writes with the name of its file.
  const named = join(folder, name);
  await symlink(program, named);
  const logFile = join(folder, `${name}.log`);
  const [port = 0] = await freePorts(1);
  const process = new ServerProcess({
    name,
    program: named,
    logFile,
    args: [
      `--kubeconfig=${kubeconfigPath}`,
      `--authentication-kubeconfig=${kubeconfigPath}`,
      `--authorization-kubeconfig=${kubeconfigPath}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${folder}`,
      '--profiling=false',
      ...args,
    ],
    // It signs its own certificate, so whose it is cannot be checked.
    isReady: async (signal) => {
      const tls = { ca, cert: admin.cert, key: admin.key, signal, rejectUnauthorized: false };
      return (await httpsGet(`https://127.0.0.1:${port}/healthz`, tls)).status === 200;
    },
  });
  await process.start();
  const stop = async (): Promise<void> => {
    await process.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { pid: process.pid ?? 0, logFile, stop, [Symbol.asyncDispose]: stop };
}
