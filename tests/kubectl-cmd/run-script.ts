import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcesses } from '../../tools/run/end-processes.ts';
import type { Spec } from '../conformance/spec.ts';
import { endOfOutput } from './output.ts';
import { startScriptCluster } from './script-cluster.ts';

const DRIVER = new URL('driver.sh', import.meta.url).pathname;
/** What is left of a script when it is over, such as a kubectl that serves, gets so long. */
const GRACE_MS = 500;

export interface ScriptOptions {
  /** The copy of the sources. */
  readonly sources: string;
  /** After that time the script has failed. */
  readonly limitSeconds: number;
  /** Takes NAME.log, all that the script printed, and NAME.server.log. @default neither is kept */
  readonly logs?: string | undefined;
}

/** Runs one script against a cluster of its own. A script that fails is no error. */
export async function runScript(name: string, options: ScriptOptions): Promise<Spec> {
  const { sources, limitSeconds, logs } = options;
  const folder = await mkdtemp(join(tmpdir(), 'windlass-kubectl-'));
  const started = performance.now();
  try {
    const output = join(folder, 'output');
    await using cluster = await startScriptCluster(folder, join(sources, 'hack/testdata/auth-tokens.csv'));
    const code = await runDriver(name, { sources, folder, output, port: cluster.port, limitSeconds });
    const text = await readFile(output, 'utf8');
    if (logs !== undefined) {
      await writeFile(join(logs, `${name}.log`), text);
      await writeFile(join(logs, `${name}.server.log`), await readFile(join(folder, 'log')));
    }
    return {
      name,
      sig: 'kubectl',
      outcome: code === 0 ? 'passed' : 'failed',
      seconds: (performance.now() - started) / 1000,
      message: code === 0 ? '' : endOfOutput(text, code === undefined ? limitSeconds : undefined),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface DriverOptions {
  readonly sources: string;
  readonly folder: string;
  readonly output: string;
  readonly port: number;
  readonly limitSeconds: number;
}

/** The exit code, or undefined when the time was over. */
async function runDriver(name: string, options: DriverOptions): Promise<number | undefined> {
  const temporary = join(options.folder, 'tmp');
  await mkdir(temporary);
  // Upstream's server keeps its certificate there, and scripts read it.
  await copyFile(join(options.folder, 'pki/apiserver.crt'), join(temporary, 'apiserver.crt'));
  const output = openSync(options.output, 'w');
  const child = spawn('bash', [DRIVER, name], {
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      SCRIPTS: options.sources,
      TMPDIR: temporary,
      SECURE_API_PORT: String(options.port),
    },
  });
  closeSync(output);
  const { pid } = child;
  let isOver = false;
  const limit = setTimeout(() => {
    isOver = true;
    if (pid !== undefined) void endProcesses(pid, { graceMs: GRACE_MS, withRoot: true });
  }, options.limitSeconds * 1000);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', resolve);
    });
    return isOver ? undefined : (code ?? 1);
  } finally {
    clearTimeout(limit);
  }
}
