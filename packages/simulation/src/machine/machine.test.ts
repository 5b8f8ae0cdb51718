import assert from 'node:assert/strict';
import { it } from 'node:test';
import { SeededRandom, turnsOver } from '@windlass/base';
import { systemCode } from '@windlass/directpv';
import { ProcessClock, VirtualTime } from '../time/virtual-time.ts';
import { Machine } from './machine.ts';
import { nodeFiles } from './node-files.ts';

const SIZE = 1024 ** 3;

function start() {
  const time = new VirtualTime(1);
  const clock = new ProcessClock(time, 'process');
  const machine = new Machine(['drive-1'], SIZE);
  const os = machine.seenBy({ clock, random: new SeededRandom(1) });
  /** Lets time pass until the work is over. */
  const done = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const over = (): void => {
      isOver = true;
    };
    work.then(over, over);
    for (;;) {
      await turnsOver(1000);
      if (isOver || !time.step(time.elapsedMs + 60_000)) return work;
    }
  };
  const formatted = async (): Promise<void> => {
    const [device] = await done(os.devices());
    assert.ok(device);
    await done(os.format(device, { fsuuid: 'f-1', label: 'l', force: false }));
    await done(os.mount(device, '/mnt/f-1'));
  };
  return { time, clock, machine, os, done, formatted };
}

it('calls take time, and one of a process that is gone has no effect', async () => {
  const { time, clock, machine, os, done } = start();
  await done(os.makeDirectory('/a'));
  assert.ok(time.elapsedMs > 0 && time.elapsedMs < 10);
  const lost = os.makeDirectory('/b');
  clock.end();
  await Promise.race([lost, done(Promise.resolve())]);
  time.step(time.elapsedMs + 60_000);
  await turnsOver(1000);
  assert.deepEqual(await machine.os.list('/'), ['a']);
});

it('a call may fail, after its time and without having done anything', async () => {
  const { time, clock, machine, done } = start();
  const faultOf = (call: string, about: string) =>
    call === 'makeDirectory' && about.includes('/bad') ? 'EBUSY' : undefined;
  const os = machine.seenBy({ clock, random: new SeededRandom(1), faultOf });
  await assert.rejects(done(os.makeDirectory('/bad')), {
    code: 'EBUSY',
    message: 'EBUSY: makeDirectory ["/bad"]',
  });
  assert.ok(time.elapsedMs > 0);
  await done(os.makeDirectory('/good'));
  assert.deepEqual(await machine.os.list('/'), ['good']);
});

it('a drive is lost and found, full, slow, and as before', async () => {
  const { time, machine, os, done, formatted } = start();
  await formatted();
  const code = async (work: Promise<unknown>): Promise<string | undefined> =>
    done(work).then(
      () => undefined,
      (error: unknown) => systemCode(error),
    );
  machine.fill('drive-1', true);
  assert.equal(await code(os.makeDirectory('/mnt/f-1/v')), 'ENOSPC');
  assert.equal(await code(os.makeDirectory('/other')), undefined);
  machine.fill('drive-1', false);
  assert.equal(await code(os.makeDirectory('/mnt/f-1/v')), undefined);
  const beforeMs = time.elapsedMs;
  machine.slow('drive-1', true);
  await done(os.list('/mnt/f-1'));
  assert.ok(time.elapsedMs - beforeMs > 1000);
  machine.slow('drive-1', false);
  machine.lose('drive-1');
  assert.deepEqual(await done(os.devices()), []);
  machine.find('drive-1');
  assert.deepEqual(
    (await done(os.devices())).map(({ name, contents }) => [name, contents?.fsuuid]),
    [['drive-1', 'f-1']],
  );
});

it('a kubelet keeps its files there, and no folder goes with something in it', async () => {
  const { os, done } = start();
  const files = nodeFiles(os);
  await done(files.makeFolder('/k/pods/u', 0o750));
  await done(files.replaceText('/k/pods/data.json', '{}'));
  assert.equal(await done(files.readText('/k/pods/data.json')), '{}');
  assert.equal(await done(files.readText('/k/none')), undefined);
  assert.deepEqual(await done(files.foldersIn('/k/pods')), ['u']);
  assert.deepEqual(await done(files.foldersIn('/none')), []);
  await assert.rejects(done(files.removeFolder('/k/pods')), { code: 'ENOTEMPTY' });
  await done(files.removeFile('/k/pods/data.json'));
  await done(files.removeFolder('/k/pods/u'));
  await done(files.removeFolder('/k/pods'));
  assert.equal(await done(files.exists('/k/pods')), false);
  const payload = (text: string) => new Map([['a', { data: Buffer.from(text), mode: 0o644 }]]);
  assert.equal(await done(files.writePayload('/k/p', payload('1'), 'v1')), true);
  assert.equal(await done(files.writePayload('/k/p', payload('1'), 'v2')), false);
  assert.equal(await done(files.writePayload('/k/p', payload('2'), 'v3')), true);
});
