import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PersistentVolumeClaim, Pod } from '@windlass/apimachinery/api/core/v1';
import { DRIVER_NAME } from '@windlass/directpv';
import { run } from './run.ts';

it('a node that waits to mount a volume once more is not at rest', async () => {
  let phase: string | undefined;
  const { failure } = await run(
    {
      nodes: [{ name: 'n0' }],
      drives: { perNode: 1 },
      processes: {},
      workload: async ({ client, pass }) => {
        await client
          .resource(PersistentVolumeClaim)
          .namespace('default')
          .create({
            metadata: { name: 'data' },
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: DRIVER_NAME,
              resources: { requests: { storage: '1Gi' } },
            },
          });
        await client
          .resource(Pod)
          .namespace('default')
          .create({
            metadata: { name: 'web' },
            spec: {
              containers: [
                { name: 'main', image: 'i', volumeMounts: [{ name: 'data', mountPath: '/data' }] },
              ],
              volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
            },
          });
        await pass(1000);
      },
      invariants: {
        'the pod runs': {
          atRest: async (state) => {
            phase = (await state.find(Pod, 'web', 'default'))?.status?.phase;
          },
        },
      },
      endState: false,
    },
    // The node cannot mount the volume, and its next try is more than a minute after the drive is well again.
    {
      seed: 1,
      plan: [
        {
          kind: 'drive',
          node: 'n0',
          drive: 'drive-1',
          effect: 'full',
          when: { write: 1, by: 'scheduler' },
          forMs: 135_000,
        },
      ],
    },
  );
  assert.equal(failure, undefined);
  assert.equal(phase, 'Running');
});
