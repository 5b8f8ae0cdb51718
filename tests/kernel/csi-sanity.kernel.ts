// The conformance suite of the CSI project against DirectPV on real XFS: the suite mounts for real.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { serveCsi } from '@windlass/csi';
import { linuxOperatingSystem } from '@windlass/directpv';
import { startDirectPV } from '../real/csi-sanity/directpv.ts';
import { runCsiSanity } from '../real/csi-sanity/run-csi-sanity.ts';
import { findProgram } from '../real/harness/needs.ts';
import { LoopMachine, mountsOf } from './machine.ts';

const hasGo = (await findProgram('go', ['/usr/local/go/bin'])) !== undefined;

test('DirectPV passes csi-sanity on loop devices', {
  timeout: 600_000,
  skip: hasGo ? false : 'Go is needed to build csi-sanity',
}, async (t) => {
  await using machine = await LoopMachine.make();
  const { folder } = machine;
  for (const disk of ['a', 'b']) await machine.plug(disk, 64 * 2 ** 30);
  const os = linuxOperatingSystem({ quota: 'preferred', loopDevices: machine.names, includes: () => false });
  await using directpv = await startDirectPV(os, folder);
  await using server = await serveCsi({ ...directpv.services, socketPath: path.join(folder, 'csi.sock') });
  const { passed, failed, output } = await runCsiSanity({ endpoint: server.socketPath, folder });
  assert.equal(failed, 0, output);
  assert.ok(passed >= 71, `only ${passed} specs ran; 71 are expected`);
  const left = (await mountsOf(folder)).map(({ mountPoint }) => path.relative(folder, mountPoint));
  assert.deepEqual(
    // What the driver itself keeps mounted stands in its own folder.
    left.filter((each) => !each.startsWith(`directpv${path.sep}`)),
    [],
    'the suite left something mounted',
  );
  t.diagnostic(`${passed} specs passed`);
});
