import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '@windlass/apimachinery';
import type { ServicePort, ServiceSpec } from '@windlass/apimachinery/api/core/v1';
import { SeededRandom } from '@windlass/base';
import type { DraftOf } from '../../../resource/views.ts';
import { Ledger } from './ledger.ts';
import { assignNodePorts } from './node-ports.ts';
import { claimPorts, tryPorts } from './port-claims.ts';

type Ports = DraftOf<ServicePort>[];
type Spec = DraftOf<ServiceSpec>;

const RANGE = { first: 1, last: 4 };
const TAKEN = 'provided port is already allocated';

/** The node ports that a service gets; 2 is somebody else's. Or why it gets none. */
function assign(spec: Spec, old: Spec | undefined, isTried: boolean): (number | undefined)[] | string {
  const ledger = new Ledger<number>();
  ledger.take(2, 'other');
  for (const { nodePort } of old?.ports ?? []) if (nodePort !== undefined) ledger.take(nodePort, 'own');
  const claims = isTried ? tryPorts(ledger) : claimPorts(ledger, RANGE, new SeededRandom(1), 'own', () => {});
  try {
    assignNodePorts('s', spec, old, claims);
  } catch (error) {
    assert.ok(error instanceof StatusError);
    return error.message;
  }
  return (spec.ports ?? []).map(({ nodePort }) => nodePort);
}

const refusal = (index: number, port: number, problem: string): string =>
  `Service "s" is invalid: spec.ports[${index}].nodePort: Invalid value: ${port}: ${problem}`;
const OUT = 'provided port is not in the valid range. The range of valid ports is 1-4';

describe('the node ports of a new service', () => {
  const rows: readonly (readonly [rule: string, ports: Ports, expected: (number | undefined)[] | string])[] =
    [
      ['are those that it names', [{ port: 1, nodePort: 3 }], [3]],
      ['are not those of others', [{ port: 1, nodePort: 2 }], refusal(0, 2, TAKEN)],
      ['are in the range', [{ port: 1, nodePort: 9 }], refusal(0, 9, OUT)],
      [
        'are one for two protocols of a port',
        [
          { port: 53, protocol: 'TCP', nodePort: 3 },
          { port: 53, protocol: 'UDP' },
        ],
        [3, 3],
      ],
      [
        'are one also where only the second names it',
        [
          { port: 53, protocol: 'TCP' },
          { port: 53, protocol: 'UDP', nodePort: 3 },
        ],
        [3, 3],
      ],
      [
        'may be two for two protocols of a port',
        [
          { port: 53, protocol: 'TCP', nodePort: 3 },
          { port: 53, protocol: 'UDP', nodePort: 4 },
        ],
        [3, 4],
      ],
      [
        'are not one for two ports',
        [
          { port: 1, protocol: 'TCP', nodePort: 3 },
          { port: 2, protocol: 'UDP', nodePort: 3 },
        ],
        refusal(1, 3, TAKEN),
      ],
      [
        'may be more than there are',
        [{ port: 1 }, { port: 2 }, { port: 3 }, { port: 4 }],
        'Internal error occurred: failed to allocate a nodePort: range is full',
      ],
    ];
  for (const [rule, ports, expected] of rows)
    it(rule, () => assert.deepEqual(assign({ type: 'NodePort', ports }, undefined, false), expected));

  it('are none that nobody names, where a balancer has no use for them', () => {
    const spec: Spec = { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false };
    const ports = [{ port: 1 }, { port: 2, nodePort: 3 }];
    assert.deepEqual(assign({ ...spec, ports }, undefined, false), [undefined, 3]);
    assert.deepEqual(
      assign({ ...spec, ports: [{ port: 1, nodePort: 2 }] }, undefined, false),
      refusal(0, 2, TAKEN),
    );
  });

  it('may be any number when it is only tried', () => {
    const tried = (...ports: Ports): unknown => assign({ type: 'NodePort', ports }, undefined, true);
    assert.deepEqual(tried({ port: 1, nodePort: 101 }), [101]);
    assert.deepEqual(tried({ port: 1, nodePort: 101 }, { port: 2 }), [101, 102]);
    assert.deepEqual(tried({ port: 1 }), [32_769]);
    assert.deepEqual(tried({ port: 1, nodePort: 2 }), refusal(0, 2, TAKEN));
  });
});

describe('the node ports of a service that is changed', () => {
  const before: Ports = [{ port: 1, protocol: 'TCP', nodePort: 3 }];
  const rows: readonly (readonly [rule: string, ports: Ports, expected: (number | undefined)[] | string])[] =
    [
      ['stay', before, [3]],
      ['may be another', [{ port: 1, protocol: 'TCP', nodePort: 4 }], [4]],
      ['are not those of others', [{ port: 1, nodePort: 2 }], refusal(0, 2, TAKEN)],
      [
        'may be one for two protocols',
        [
          { port: 1, protocol: 'TCP', nodePort: 4 },
          { port: 2, protocol: 'UDP', nodePort: 4 },
        ],
        [4, 4],
      ],
      [
        'are not one for one protocol',
        [
          { port: 1, protocol: 'TCP', nodePort: 4 },
          { port: 2, protocol: 'TCP', nodePort: 4 },
        ],
        'duplicate nodePort: {TCP 4}',
      ],
    ];
  for (const [rule, ports, expected] of rows)
    it(rule, () => {
      const old: Spec = { type: 'NodePort', ports: before };
      assert.deepEqual(assign({ type: 'NodePort', ports: structuredClone(ports) }, old, false), expected);
    });
});
