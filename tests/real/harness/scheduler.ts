import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlPlaneAccess, RealControllerManager } from './controller-manager.ts';
import { freePorts } from './free-ports.ts';
import { httpsGet } from './https-get.ts';
import { ensureKubernetesProgram } from './kubernetes-program.ts';
import type { Log } from './needs.ts';
import { ServerProcess } from './server-process.ts';

/** The real kube-scheduler of the pinned release, as an administrator. */
export async function startRealScheduler(
  { kubeconfigPath, ca, admin }: ControlPlaneAccess,
  log: Log = () => {},
): Promise<RealControllerManager> {
  const program = await ensureKubernetesProgram('kube-scheduler', log);
  const folder = await mkdtemp(join(tmpdir(), 'windlass-real-scheduler-'));
  // It signs what it writes with the name of its file.
  const named = join(folder, 'kube-scheduler');
  await symlink(program, named);
  const logFile = join(folder, 'kube-scheduler.log');
  const [port = 0] = await freePorts(1);
  const process = new ServerProcess({
    name: 'kube-scheduler',
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
    ],
    // It signs its own certificate, so whose it is cannot be checked.
    isReady: async (signal) => {
      const tls = { ca, cert: admin.cert, key: admin.key, signal, rejectUnauthorized: false };
      return (await httpsGet(`https://127.0.0.1:${port}/readyz`, tls)).status === 200;
    },
  });
  await process.start();
  const stop = async (): Promise<void> => {
    await process.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { pid: process.pid ?? 0, logFile, stop, [Symbol.asyncDispose]: stop };
}
