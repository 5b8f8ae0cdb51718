// What test/cmd expects to run against: an API server and the controllers, without a scheduler and without nodes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { issueCertificate, realClock, systemRandom } from '@windlass/base';

const PROGRAM = new URL('../../packages/cli/src/windlass.ts', import.meta.url).pathname;
const AUTHORITY_DAYS = 365;
/** As in hack/make-rules/test-cmd.sh: scripts replace pods by their manifests. */
const DISABLED_PLUGINS =
  'ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds,MutatingAdmissionWebhook,ValidatingAdmissionWebhook,StorageObjectInUseProtection';

export interface ScriptCluster extends AsyncDisposable {
  readonly port: number;
}

/** Resolves when the API serves. What both processes log is in `folder`/log. They do not outlive this one. */
export async function startScriptCluster(folder: string, tokenFile: string): Promise<ScriptCluster> {
  const pki = join(folder, 'pki');
  await mkdir(pki, { recursive: true });
  // The scripts look for this name among those whose certificates the server accepts.
  const { cert, key } = issueCertificate(
    { commonName: '127.0.0.1', usage: 'authority', validDays: AUTHORITY_DAYS },
    { clock: realClock, random: systemRandom },
  );
  await writeFile(join(pki, 'ca.crt'), cert);
  await writeFile(join(pki, 'ca.key'), key, { mode: 0o600 });
  const server = start(folder, [
    'apiserver',
    `--data-dir=${folder}`,
    '--in-memory',
    '--port=0',
    '--output=json',
    `--token-auth-file=${tokenFile}`,
    `--disable-admission-plugins=${DISABLED_PLUGINS}`,
  ]);
  try {
    const port = await portOf(server);
    const controllers = start(folder, [
      'controller-manager',
      `--kubeconfig=${join(folder, 'kubeconfig')}`,
      '--log-level=warn',
      // The one node never reports; scripts expect that the controllers have noticed.
      '--node-startup-grace-period=1s',
      '--node-monitor-period=1s',
      `--root-ca-file=${join(pki, 'ca.crt')}`,
      `--service-account-private-key-file=${join(pki, 'sa.key')}`,
      `--cluster-signing-cert-file=${join(pki, 'ca.crt')}`,
      `--cluster-signing-key-file=${join(pki, 'ca.key')}`,
    ]);
    controllers.stdout?.resume();
    return {
      port,
      [Symbol.asyncDispose]: async () => {
        await end(controllers);
        await end(server);
      },
    };
  } catch (error) {
    await end(server);
    throw error;
  }
}

function start(folder: string, args: readonly string[]): ChildProcess {
  const log = openSync(join(folder, 'log'), 'a');
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

async function portOf({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('windlass apiserver has no output');
  for await (const line of createInterface(stdout)) {
    // Its own output.
    const { event, server } = JSON.parse(line) as { event: string; server: string };
    if (event !== 'ready') continue;
    stdout.resume();
    return Number(new URL(server).port);
  }
  throw new Error('windlass apiserver ended before it was ready');
}

/** Nothing of it is kept: there is no reason to let it end by itself. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
