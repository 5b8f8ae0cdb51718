import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cellsOf } from '../../testing/cells.ts';
import type { Json } from '../../testing/kind-api.ts';
import { service } from './index.ts';

// As upstream's getServiceExternalIP says it.
describe('the external address of a service', () => {
  const rows: readonly (readonly [rule: string, spec: Json, ingress: readonly Json[], shown: string])[] = [
    ['is none with an address of the cluster', { type: 'ClusterIP' }, [], '<none>'],
    ['is none with ports of the nodes', { type: 'NodePort' }, [], '<none>'],
    [
      'is what the service says',
      { type: 'NodePort', externalIPs: ['1.2.3.4', '1.2.3.5'] },
      [],
      '1.2.3.4,1.2.3.5',
    ],
    ['is awaited of a load balancer', { type: 'LoadBalancer' }, [], '<pending>'],
    ['is that of the load balancer', { type: 'LoadBalancer' }, [{ ip: '1.2.3.4' }], '1.2.3.4'],
    [
      'is both that of the load balancer and what the service says',
      { type: 'LoadBalancer', externalIPs: ['1.2.3.5'] },
      [{ ip: '1.2.3.4' }],
      '1.2.3.4,1.2.3.5',
    ],
    ['is the name of one outside', { type: 'ExternalName', externalName: 'a.b' }, [], 'a.b'],
    ['is not known of another type', { type: 'Other' }, [], '<unknown>'],
  ];
  for (const [rule, spec, ingress, shown] of rows)
    it(rule, () => {
      const cells = cellsOf(service, { spec, status: { loadBalancer: { ingress } } });
      assert.equal(cells['External-IP'], shown);
    });
});

describe('the ports of a service', () => {
  it('are those of the service and of the nodes', () => {
    const ports = [
      { port: 80, protocol: 'TCP' },
      { port: 53, protocol: 'UDP', nodePort: 30_053 },
    ];
    assert.equal(cellsOf(service, { spec: { ports } })['Port(s)'], '80/TCP,53:30053/UDP');
    assert.equal(cellsOf(service, { spec: {} })['Port(s)'], '<none>');
  });
});
