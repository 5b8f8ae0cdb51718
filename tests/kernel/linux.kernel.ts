// What our Linux tells of this very machine.
import assert from 'node:assert/strict';
import { access, open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@windlass/base/testing/until';
import { deniedReasons, linuxOperatingSystem } from '@windlass/directpv';
import { findProgram, run } from '../real/harness/needs.ts';
import { LoopMachine } from './machine.ts';
import { MIB } from './node-process.ts';

const hasEvents = (await findProgram('udevadm')) !== undefined;
const keepsQuotas = await access('/proc/fs/xfs/xqmstat').then(
  () => true,
  () => false,
);

test('the kernel tells of a device long before it would be looked for', {
  skip: hasEvents ? false : 'udevadm is needed; without it devices are polled',
}, async () => {
  await using machine = await LoopMachine.make();
  const os = linuxOperatingSystem({ loopDevices: 'all', includes: () => false, pollMs: 600_000 });
  const stop = new AbortController();
  const seen = new Set<string>();
  const reading = (async () => {
    for await (const { name } of os.deviceChanges({ signal: stop.signal })) seen.add(name);
  })();
  try {
    const name = await machine.plug('a', 16 * MIB);
    // What was attached before the monitor listened may be missed: a change of size is another event.
    let size = 16;
    await until('the kernel has told', async () => {
      await machine.grow('a', ++size * MIB);
      return seen.has(name);
    });
  } finally {
    stop.abort();
    await reading;
  }
});

test('what is on a device, and what uses it, is seen: a file system, a mount, swap', async () => {
  await using machine = await LoopMachine.make();
  const name = await machine.plug('a', 700 * MIB);
  const os = linuxOperatingSystem({ loopDevices: [name], includes: () => false });
  const reasons = async (): Promise<string> => {
    const device = (await os.devices()).find((one) => one.name === name);
    assert.ok(device);
    return deniedReasons(device, () => false).join('; ');
  };
  const typeOf = async (): Promise<string | undefined> =>
    (await os.devices()).find((one) => one.name === name)?.contents?.fsType;
  assert.equal(await reasons(), '');
  await run('mkfs.ext4', ['-q', `/dev/${name}`]);
  assert.deepEqual([await typeOf(), await reasons()], ['ext4', '']);
  const target = join(machine.folder, 'mnt');
  await os.makeDirectory(target);
  await run('mount', [`/dev/${name}`, target]);
  assert.equal(await reasons(), 'Mounted');
  await run('umount', [target]);
  await run('mkswap', ['-q', '-f', `/dev/${name}`]).catch(() => run('mkswap', [`/dev/${name}`]));
  assert.equal(await typeOf(), 'swap');
  await run('swapon', [`/dev/${name}`]);
  try {
    assert.equal(await reasons(), 'Swap');
  } finally {
    await run('swapoff', [`/dev/${name}`]);
  }
});

test('a kernel without quotas is refused where they are required', {
  skip: keepsQuotas ? 'this kernel keeps quotas' : false,
}, async () => {
  await using machine = await LoopMachine.make();
  const name = await machine.plug('a', 700 * MIB);
  const os = linuxOperatingSystem({ loopDevices: [name], includes: () => false });
  const [device] = await os.devices();
  assert.ok(device);
  const fsuuid = '0f8fad5b-d9cb-469f-a165-70867728950e';
  await os.format(device, { fsuuid, label: 'DIRECTPV', force: false });
  const target = join(machine.folder, 'mnt');
  await assert.rejects(os.mount(device, target), { code: 'QUOTA_UNSUPPORTED' });
  const [formatted] = await os.devices();
  assert.equal(formatted?.contents?.fsuuid, fsuuid);
  assert.deepEqual(formatted.mountPoints, []);
});

test('a close look at a file that nobody has written to takes no time, and one that was is read', async () => {
  await using machine = await LoopMachine.make();
  const name = await machine.plug('a', 256 * MIB);
  const os = linuxOperatingSystem({ loopDevices: [name], includes: () => false });
  const readBytes = async (): Promise<number> => {
    const { readBytes: before } = await os.deviceStatistics(name);
    assert.equal((await os.examine(name)).problem, undefined);
    return (await os.deviceStatistics(name)).readBytes - before;
  };
  assert.ok((await readBytes()) < 32 * MIB, 'only where something could be is read');
  // It stands in the kernel's memory, and not yet in the file.
  const device = await open(`/dev/${name}`, 'r+');
  try {
    await device.write(Buffer.from('x'), 0, 1, 200 * MIB);
    assert.ok((await readBytes()) >= 192 * MIB, 'all of it is read');
  } finally {
    await device.close();
  }
});
