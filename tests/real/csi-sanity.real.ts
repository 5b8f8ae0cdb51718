// The conformance suite of the CSI project, over its own gRPC client, against our drivers.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CsiServices, serveCsi } from '@windlass/csi';
import { memoryDriver } from '@windlass/csi/testing';
import { directoryOperatingSystem } from '@windlass/directpv';
import { startDirectPV } from './csi-sanity/directpv.ts';
import { runCsiSanity } from './csi-sanity/run-csi-sanity.ts';

const timeout = 600_000;

async function newFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Everything that the driver says it can do must be right, and at least so much must have been tried. */
async function passesWhole(
  t: TestContext,
  services: CsiServices,
  folder: string,
  atLeast: number,
): Promise<void> {
  await using server = await serveCsi({ ...services, socketPath: path.join(folder, 'csi.sock') });
  const { passed, failed, output } = await runCsiSanity({ endpoint: server.socketPath, folder });
  assert.equal(failed, 0, output);
  assert.ok(passed >= atLeast, `only ${passed} specs ran; ${atLeast} are expected`);
  t.diagnostic(`${passed} specs passed`);
}

test('a driver in memory passes csi-sanity', { timeout }, async (t) =>
  passesWhole(t, memoryDriver(), await newFolder(t), 67),
);

test('DirectPV passes csi-sanity on drives that are directories', { timeout }, async (t) => {
  const folder = await newFolder(t);
  const drives = [1, 2].map((index) => ({ name: `drive-${index}`, size: 64 * 2 ** 30 }));
  const os = directoryOperatingSystem({ root: path.join(folder, 'drives'), drives });
  await using directpv = await startDirectPV(os, folder);
  await passesWhole(t, directpv.services, folder, 71);
});
