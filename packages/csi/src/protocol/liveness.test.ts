import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GrpcError } from '@windlass/grpc';
import { livenessCheck } from './liveness.ts';
import type { IdentityService } from './services.ts';

const checkOf = (probe: IdentityService['probe'], timeoutMs?: number) =>
  livenessCheck(
    {
      identity: {
        getPluginInfo: async () => ({ name: 'a.csi', vendorVersion: '1' }),
        getPluginCapabilities: async () => ({}),
        probe,
      },
    },
    timeoutMs,
  );

const { signal } = new AbortController();

test('a driver that answers is alive, unless it says that it is not ready', async () => {
  await checkOf(async () => ({ ready: true }))(signal);
  await checkOf(async () => ({}))(signal);
  await assert.rejects(async () => checkOf(async () => ({ ready: false }))(signal), /not ready/);
});

test('a driver that fails or does not answer is not alive', async () => {
  const broken = checkOf(async () => {
    throw new GrpcError('FAILED_PRECONDITION', 'no disks');
  });
  await assert.rejects(async () => broken(signal), /no disks/);
  const silent = checkOf(() => new Promise(() => {}), 10);
  await assert.rejects(
    async () => silent(signal),
    (error: GrpcError) => error.code === 'DEADLINE_EXCEEDED',
  );
});
