// The conformance suite of the CSI project, over its own gRPC client, against our server.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { type CsiServices, serveCsi } from '@windlass/csi';
import { memoryDriver } from '@windlass/csi/testing';
import { runCsiSanity } from './csi-sanity/run-csi-sanity.ts';

/** Everything that the driver says it can do must be right, and at least so much must have been tried. */
async function passesWhole(t: TestContext, services: CsiServices, atLeast: number): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'cs-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await using server = await serveCsi({ ...services, socketPath: path.join(folder, 'csi.sock') });
  const { passed, failed, output } = await runCsiSanity({ endpoint: server.socketPath, folder });
  assert.equal(failed, 0, output);
  assert.ok(passed >= atLeast, `only ${passed} specs ran; ${atLeast} are expected`);
  t.diagnostic(`${passed} specs passed`);
}

test('a driver in memory passes csi-sanity', { timeout: 600_000 }, (t) => passesWhole(t, memoryDriver(), 48));
