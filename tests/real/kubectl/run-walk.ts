import { spawn } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WALK, type WalkStep } from './walk.ts';

export interface StepResult {
  readonly step: string;
  readonly code: number;
  readonly output: string;
}

/** Runs the walk with a kubeconfig of its own, so that changes to it stay here. */
export async function runWalk(kubeconfig: string): Promise<StepResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'windlass-walk-'));
  try {
    const own = join(folder, 'kubeconfig');
    await copyFile(kubeconfig, own);
    const results: StepResult[] = [];
    for (const step of WALK) results.push(await runStep(step, own, folder));
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function runStep(
  { args, stdin, onlyExitCode }: WalkStep,
  kubeconfig: string,
  folder: string,
): Promise<StepResult> {
  // A blank inside an argument is written as an underscore in the walk's schedule.
  const words = args.map((word) => (word.startsWith('--schedule=') ? word.replaceAll('_', ' ') : word));
  const env = {
    ...process.env,
    KUBECONFIG: kubeconfig,
    HOME: folder,
    KUBECTL_COMMAND_HEADERS: 'false',
    EDITOR: 'true',
  };
  return new Promise((resolve, reject) => {
    const child = spawn('kubectl', words, { env, stdio: ['pipe', 'pipe', 'pipe'], timeout: 60_000 });
    const chunks: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.on('error', reject);
    child.on('close', (code) => {
      const output = onlyExitCode === true ? '' : normalise(Buffer.concat(chunks).toString('utf8'));
      resolve({ step: args.join(' '), code: code ?? 1, output });
    });
    child.stdin.end(stdin ?? '');
  });
}

/** Takes out what differs from run to run: identities, times, versions, addresses. */
export function normalise(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/g, 'TIME')
    .replace(/resourceVersion: "\d+"|"resourceVersion": "\d+"/g, 'resourceVersion')
    .replace(/(Resource Version:\s+)\d+/g, '$1VERSION')
    .replace(/[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} \+0000/g, 'TIME')
    .replace(/^W\d{4} \S+ +\d+ /gm, '')
    .replace(/\b10\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
    .replace(/https:\/\/127\.0\.0\.1:\d+/g, 'SERVER')
    .replace(/ {2,}\d+(?:s|m|m\d+s)(?: +|(?=\n)|$)/g, '  AGE  ')
    .replace(/^Warning: .*deprecated.*\n/gm, '')
    .trimEnd();
}
