import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inDefault, KindApi, testRefusals } from '../../testing/kind-api.ts';

const api = new KindApi();
const CAPACITIES = inDefault('storage.k8s.io/v1/csistoragecapacities');

describe('what a driver can store', () => {
  testRefusals(api, CAPACITIES, (fields) => ({ storageClassName: 'a', ...fields }), [
    ['is of a class', {}, []],
    ['may be nothing', { capacity: '0' }, []],
    [
      'is not negative',
      { capacity: '-1' },
      ['capacity: Invalid value: "-1": must be greater than or equal to 0'],
    ],
    [
      'is of nodes that can be selected',
      { nodeTopology: { matchExpressions: [{ key: 'a', operator: 'Like' }] } },
      ['nodeTopology.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator'],
    ],
  ]);

  for (const storageClassName of ['', 'A_B'])
    it(`is of a class whose name can be one, not ${JSON.stringify(storageClassName)}`, async () => {
      const [refusal = ''] = await api.refusals(CAPACITIES, { storageClassName });
      assert.match(refusal, /^storageClassName: Invalid value: ".*": a lowercase RFC 1123 subdomain/);
    });

  it('stays of its class and its nodes', async () => {
    const path = await api.create(CAPACITIES, { storageClassName: 'a', nodeTopology: {} });
    assert.deepEqual(
      await api.changeRefusals(path, { storageClassName: 'b', nodeTopology: { matchLabels: { a: 'b' } } }),
      [
        'nodeTopology: Invalid value: {"matchLabels":{"a":"b"}}: field is immutable',
        'storageClassName: Invalid value: "b": field is immutable',
      ],
    );
  });
});
