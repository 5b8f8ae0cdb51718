// What somebody does who has just found the repository: clones it, types the README's commands as they stand there with
// the machine's own Node, takes its walk with kubectl, stops, and starts again.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { run } from '../real/harness/needs.ts';
import { repositoryRoot } from '../real/harness/paths.ts';

const INSTALL_MS = 300_000;
const STOP_MS = 10_000;
const TEST_MS = 1_200_000;
const COMPLAINTS_LENGTH = 4000;
const ANSWER_LINES = 25;
/** `.ci/run` sets it when its own `npm test` was the first command of a fresh clone. */
const FRESH_CLONE_TESTED = process.env['WINDLASS_FRESH_CLONE_TESTED'] === '1';

let folder: string;
let clone: string;
let env: NodeJS.ProcessEnv;
let cluster: ChildProcess | undefined;
let blocks: readonly string[];
/** The end of what the cluster has written to stderr. */
let complaints = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'windlass-walk-'));
  clone = join(folder, 'windlass');
  await run('git', ['clone', '--quiet', `file://${repositoryRoot}`, clone]);
  env = machineEnvironment();
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  const walk = /^## Five minutes$([\s\S]*?)^## /m.exec(readme)?.[1] ?? '';
  blocks = [...walk.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
});
after(async () => {
  if (cluster !== undefined) await stop();
  // What has just ended may still be writing its caches.
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 });
});

/** Without what npm, the pinned Node and the test runner of this checkout have put there. */
function machineEnvironment(): NodeJS.ProcessEnv {
  const { PATH = '', ...rest } = process.env;
  // Whom the machine trusts is its own setting.
  const kept = Object.entries(rest).filter(
    ([name]) => name === 'NODE_EXTRA_CA_CERTS' || !/^(?:npm_|NODE_|KUBECONFIG$)/.test(name),
  );
  const path = PATH.split(':').filter((part) => !part.startsWith(join(repositoryRoot, 'node_modules')));
  return { ...Object.fromEntries(kept), PATH: path.join(':') };
}

async function start(): Promise<void> {
  const child = spawn('npm', ['start'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  cluster = child;
  child.stderr.on('data', (text: Buffer) => {
    process.stderr.write(text);
    complaints = (complaints + text.toString()).slice(-COMPLAINTS_LENGTH);
  });
  const overdue = setTimeout(() => child.kill(), INSTALL_MS);
  let said = '';
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`;
    if (line.startsWith('Stop it with')) break;
  }
  clearTimeout(overdue);
  assert.match(said, /Windlass is ready after/);
  child.stdout.resume();
}

/** As Ctrl-C does: the whole group of processes hears it. */
async function stop(): Promise<void> {
  const child = cluster;
  cluster = undefined;
  assert.ok(child?.pid !== undefined);
  const started = performance.now();
  const ended = once(child, 'exit');
  process.kill(-child.pid, 'SIGINT');
  await ended;
  assert.ok(performance.now() - started < STOP_MS, 'it stops within ten seconds');
}

/** A block of the README, in a shell that stops at the first command that fails. */
async function type(block: number): Promise<string> {
  const commands = blocks[block];
  assert.ok(commands !== undefined, `the walk has ${blocks.length} blocks`);
  const script = `set -euo pipefail\n${block === 0 ? '' : (blocks[0]?.split('\n')[0] ?? '')}\n${commands}`;
  const { stdout } = await run('bash', ['-c', script], { cwd: clone, env });
  return stdout;
}

const kubectl = async (...args: readonly string[]): Promise<string> => {
  const flags = ['--kubeconfig', join(clone, '.windlass/kubeconfig'), ...args];
  return (await run('kubectl', flags, { env })).stdout;
};

/** What the cluster has to say for itself, where a step did not come to its end. */
const QUESTIONS = [
  'get events --all-namespaces --sort-by=.metadata.creationTimestamp --output=custom-columns=LAST:.metadata.creationTimestamp,ABOUT:.involvedObject.kind,NAME:.involvedObject.name,WHY:.reason,WHAT:.message',
  'get pods,pvc,pv --all-namespaces --output=wide',
  'get directpvdrives,directpvvolumes',
  'get directpvinitrequests --output=custom-columns=NAME:.metadata.name,STATUS:.status.status,ERRORS:.status.results[*].error',
  'get directpvnodes --output=custom-columns=NODE:.metadata.name,DEVICES:.status.devices[*].name,DENIED:.status.devices[*].deniedReason',
];

/** Does a step; where it fails, the error has what the cluster says at that moment. */
function explained(step: () => Promise<void>): () => Promise<void> {
  return async () => {
    try {
      await step();
    } catch (error) {
      const answers = await Promise.all(
        QUESTIONS.map(async (question) => {
          const answer = await kubectl(...question.split(' ')).catch(String);
          return `$ kubectl ${question.split(' ', 2).join(' ')}\n${answer.split('\n').slice(-ANSWER_LINES).join('\n')}`;
        }),
      );
      const said = error instanceof Error ? error.message : String(error);
      throw new Error([said, ...answers, `$ npm start, its stderr:\n${complaints}`].join('\n\n'), {
        cause: error,
      });
    }
  };
}

/** Directories of volumes on the nodes' drives. */
async function volumesOnDisk(): Promise<string[]> {
  const all = await readdir(join(clone, '.windlass/nodes'), { recursive: true });
  return all.filter((path) => /\/(?:mnt|devices)\/.*\/pvc-[^/]*$/.test(path));
}

test('npm start works on a fresh clone', { timeout: INSTALL_MS }, start);

test(
  'a deployment becomes running pods',
  explained(async () => {
    const output = await type(0);
    assert.match(output, /node-3 +Ready/);
    assert.equal(output.match(/hello-\S+ +1\/1 +Running/g)?.length, 3);
  }),
);

test(
  'a claim becomes a directory on a drive, and a pod uses it',
  explained(async () => {
    const output = await type(1);
    assert.match(output, /my-app-pvc +Bound +pvc-\S+ +10Gi/);
    assert.ok((await volumesOnDisk()).length > 0, 'there is a directory on a drive');
  }),
);

test(
  'stopped and started again, everything is still there',
  explained(async () => {
    await stop();
    await start();
    assert.match(await kubectl('get', 'pvc', 'my-app-pvc'), /Bound/);
    await kubectl('wait', '--for=condition=Ready', 'pod/my-app', '--timeout=60s');
    await kubectl('rollout', 'status', 'deployment', 'hello', '--timeout=60s');
    assert.ok((await volumesOnDisk()).length > 0);
  }),
);

test(
  'deleted, it is gone from the API and from the drive',
  explained(async () => {
    await type(2);
    assert.equal(await kubectl('get', 'pv', '-o', 'name'), '');
    assert.deepEqual(await volumesOnDisk(), []);
    await stop();
  }),
);

test('npm test works on a fresh clone', {
  timeout: TEST_MS,
  ...(FRESH_CLONE_TESTED && { skip: 'the npm test of .ci/run has just passed on a fresh clone' }),
}, async ({ signal }) => {
  const child = spawn('npm', ['test'], {
    cwd: clone,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
  });
  // Nothing of it may run on beside the next lane.
  const end = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
});
