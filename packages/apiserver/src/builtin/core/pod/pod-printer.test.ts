import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../testing/cells.ts';
import { pod } from './index.ts';

describe('what is shown of a pod', () => {
  it('is where it is and where it is to be', () => {
    const spec = { nodeName: 'n', readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }] };
    const status = {
      podIPs: [{ ip: '10.0.0.1' }],
      nominatedNodeName: 'm',
      conditions: [{ type: 'a', status: 'True' }],
    };
    const { IP, Node, ...cells } = cellsOf(pod, { spec, status });
    assert.deepEqual(
      [IP, Node, cells['Nominated Node'], cells['Readiness Gates']],
      ['10.0.0.1', 'n', 'm', '1/2'],
    );
  });

  it('is none of that before it is placed', () => {
    const { IP, Node, ...cells } = cellsOf(pod, {});
    assert.deepEqual(
      [IP, Node, cells['Nominated Node'], cells['Readiness Gates']],
      ['<none>', '<none>', '<none>', '<none>'],
    );
  });
});
