import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Plan } from '../plan/fault.ts';
import { run } from './run.ts';

const plan: Plan = [{ kind: 'call', process: 'kubelet', call: 'writeFile', number: 1, code: 'EIO' }];

it('a call into a machine fails where the plan says, and the run tells so', async () => {
  const outcomeOf = (faults: Plan) =>
    run(
      {
        nodes: [{ name: 'n0' }],
        drives: { perNode: 1 },
        processes: {},
        workload: async ({ client, pass }) => {
          await client
            .resource(Pod)
            .namespace('default')
            .create({
              metadata: { name: 'web' },
              spec: {
                containers: [
                  { name: 'main', image: 'i', volumeMounts: [{ name: 'about', mountPath: '/a' }] },
                ],
                volumes: [
                  {
                    name: 'about',
                    downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] },
                  },
                ],
              },
            });
          await pass(5000);
        },
        endState: false,
      },
      { seed: 1, plan: faults, traced: true },
    );
  const [well, broken] = [await outcomeOf([]), await outcomeOf(plan)];
  const toldBy = ({ trace }: typeof well): string[] =>
    trace.flatMap(({ type, process, text }) => (type === 'fault' ? [`${process} ${text}`] : []));
  assert.equal(broken.failure, undefined);
  assert.deepEqual(toldBy(well), []);
  const [told = '', ...others] = toldBy(broken);
  assert.match(told, /^kubelet EIO: writeFile \["\/var\/lib\/kubelet\/pods\//);
  assert.deepEqual(others, []);
  const { writeFile = 0 } = well.calls['kubelet'] ?? {};
  assert.ok(writeFile > 0);
  assert.equal(broken.calls['kubelet']?.writeFile, writeFile + 1, 'it is made again');
});
