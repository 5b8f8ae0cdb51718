// The real kube-proxy on a machine, as the service account that its role is bound to.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureKubernetesProgram } from '../../real/harness/kubernetes-program.ts';
import { run } from '../../real/harness/needs.ts';
import { ServerProcess } from '../../real/harness/server-process.ts';
import type { NodeMachine } from './node-machine.ts';
import type { RunningUp } from './windlass.ts';

const HEALTH_PORT = 10256;

/** Starts it; resolves when it has written its rules. */
export async function startKubeProxy(
  machine: NodeMachine,
  up: RunningUp,
  { nodeName, logFile }: { readonly nodeName: string; readonly logFile: string },
): Promise<ServerProcess> {
  await up.kubectl('--namespace=kube-system', 'create', 'serviceaccount', 'kube-proxy');
  const token = await up.kubectl('--namespace=kube-system', 'create', 'token', 'kube-proxy');
  const kubeconfig = join(machine.folder, 'kube-proxy.conf');
  await writeFile(kubeconfig, await asUser(up.kubeconfig, token.trim()));
  const proxy = await ensureKubernetesProgram('kube-proxy', console.error);
  const [program = '', ...args] = machine.inside(
    proxy,
    `--kubeconfig=${kubeconfig}`,
    `--hostname-override=${nodeName}`,
    '--proxy-mode=nftables',
    `--healthz-bind-address=127.0.0.1:${HEALTH_PORT}`,
    // Limits of the whole machine, which are not this node's to set.
    '--conntrack-max-per-core=0',
    '--conntrack-tcp-timeout-established=0',
    '--conntrack-tcp-timeout-close-wait=0',
  );
  const running = new ServerProcess({
    name: 'kube-proxy',
    program,
    args,
    logFile,
    isReady: async () => (await insideGet(machine, `http://127.0.0.1:${HEALTH_PORT}/healthz`)) !== '',
  });
  await running.start();
  return running;
}

/** What a program in the machine's network gets from a URL. */
export async function insideGet(machine: NodeMachine, url: string): Promise<string> {
  const ask = `process.stdout.write(await (await fetch('${url}', { signal: AbortSignal.timeout(2000) })).text())`;
  const [program = '', ...args] = machine.inside(process.execPath, '--input-type=module', '--eval', ask);
  return (await run(program, args)).stdout;
}

/** The kubeconfig of the administrator, with somebody else's token. */
async function asUser(file: string, token: string): Promise<string> {
  const config = JSON.parse(await readFile(file, 'utf8')) as { users: { name: string }[] }; // windlass up wrote it
  return JSON.stringify({ ...config, users: config.users.map(({ name }) => ({ name, user: { token } })) });
}
