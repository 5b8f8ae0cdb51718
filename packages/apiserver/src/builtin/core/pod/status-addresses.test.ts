import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';

const api = new KindApi();

describe('the addresses in the status of a pod', () => {
  const rows: readonly (readonly [rule: string, status: Json, refusals: readonly string[]])[] = [
    ['may name the node by both fields', { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }] }, []],
    ['may name the node by the older field', { hostIP: '10.0.0.1' }, []],
    [
      'name the node first as the older field does',
      { hostIPs: [{ ip: '::1' }] },
      ['status.hostIPs[0].ip: Invalid value: "::1": must be equal to `hostIP`'],
    ],
    [
      'name one of each family',
      { hostIP: '10.0.0.1', hostIPs: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }] },
      [
        'status.hostIPs: Invalid value: [{"ip":"10.0.0.1"},{"ip":"10.0.0.2"}]: may specify no more than one IP for each IP family',
      ],
    ],
  ];
  for (const [rule, status, refusals] of rows)
    it(rule, async () => {
      const path = await api.create(inDefault('pods'), { spec: { containers: [{ name: 'c', image: 'i' }] } });
      assert.deepEqual(await api.changeRefusals(`${path}/status`, { status }), refusals);
    });
});
