import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { PodPauses } from './pod-pauses.ts';
import { SYSTEM_PATHS } from './sysfs.ts';

const [ONE, TWO, THREE] = [
  '0f1e2d3c-4b5a-4697-8877-665544332211',
  '1f1e2d3c-4b5a-4697-8877-665544332211',
  '2f1e2d3c-4b5a-4697-8877-665544332211',
];

/** Groups that are files: they show what was written to them, and move on as told. */
async function machine(own = '0::/system.slice/windlass.service\n') {
  const root = await mkdtemp(join(tmpdir(), 'wpp-'));
  const group = async (path: string, frozen: boolean): Promise<string> => {
    const folder = join(root, 'sys/fs/cgroup', path);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'cgroup.freeze'), '0');
    await writeFile(join(folder, 'cgroup.events'), `populated 1\nfrozen ${frozen ? 1 : 0}\n`);
    return join(folder, 'cgroup.freeze');
  };
  await mkdir(join(root, 'proc/self'), { recursive: true });
  await writeFile(join(root, 'proc/self/cgroup'), own);
  const paths = { ...SYSTEM_PATHS, sys: join(root, 'sys'), proc: join(root, 'proc') };
  return {
    group,
    pauses: new PodPauses({ paths, clock: realClock }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

const isText = (file: string, text: string) => async (): Promise<boolean> =>
  (await readFile(file, 'utf8')).trim() === text;

test('the groups of pods are found as both drivers of the kubelet name them, stopped, and let go on', async () => {
  await using host = await machine();
  const plain = await host.group(`kubepods/burstable/pod${ONE}`, true);
  const systemd = await host.group(
    `kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod${TWO.replaceAll('-', '_')}.slice`,
    true,
  );
  const other = await host.group(`kubepods/pod${THREE}`, true);
  const pause = await host.pauses.pause([ONE, TWO, 'not-here'], { maxMs: 60_000 });
  assert.deepEqual(pause.missing, ['not-here']);
  assert.deepEqual(
    await Promise.all([plain, systemd, other].map(async (file) => (await readFile(file, 'utf8')).trim())),
    ['1', '1', '0'],
  );
  await pause.resume();
  await until('one goes on', isText(plain, '0'));
  await until('the other goes on', isText(systemd, '0'));
  await pause.resume();
});

test('they go on when the time is over', async () => {
  await using host = await machine();
  const file = await host.group(`kubepods/pod${ONE}`, true);
  const pause = await host.pauses.pause([ONE], { maxMs: 200 });
  await until('it goes on', isText(file, '0'));
  await pause.resume();
});

test('nobody stops itself', async () => {
  await using host = await machine(`0::/kubepods/pod${ONE}/x\n`);
  const file = await host.group(`kubepods/pod${ONE}`, true);
  const pause = await host.pauses.pause([ONE], { maxMs: 60_000 });
  assert.deepEqual(pause.missing, [ONE]);
  assert.equal(await readFile(file, 'utf8'), '0');
});

test('what another process has left is let go on, and nothing else is written', async () => {
  await using host = await machine();
  const frozen = await host.group(`kubepods/pod${ONE}`, true);
  const moving = await host.group(`kubepods/pod${TWO}`, false);
  for (const file of [frozen, moving]) await writeFile(file, '?');
  await host.pauses.resume([ONE, TWO, 'not-here']);
  assert.equal(await readFile(frozen, 'utf8'), '0');
  assert.equal(await readFile(moving, 'utf8'), '?');
});
