import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { RegistrationStatus } from '../generated/registration.ts';
import { RegistrationClient } from './registration-client.ts';
import { serveRegistration } from './serve-registration.ts';

test('the kubelet learns of the driver, and the driver of what became of it', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'csi-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const socketPath = path.join(folder, 'reg.sock');
  const told: RegistrationStatus[] = [];
  await using _server = await serveRegistration({
    socketPath,
    info: { name: 'test.csi', endpoint: '/plugins/test.csi/csi.sock' },
    onStatus: (status) => told.push(status),
  });
  await using client = new RegistrationClient({ socketPath });
  assert.deepEqual(await client.getInfo({}), {
    type: 'CSIPlugin',
    name: 'test.csi',
    endpoint: '/plugins/test.csi/csi.sock',
    supportedVersions: ['1.0.0'],
  });
  assert.deepEqual(await client.notifyRegistrationStatus({ pluginRegistered: true }), {});
  await client.notifyRegistrationStatus({ error: 'no such version' });
  assert.deepEqual(told, [
    { pluginRegistered: true, error: '' },
    { pluginRegistered: false, error: 'no such version' },
  ]);
});
