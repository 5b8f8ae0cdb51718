import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Status } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';
import { inDefault, type Json, KindApi } from '../../testing/kind-api.ts';
import { nodePortsOf } from './service-fields.ts';

const api = new KindApi();
const SERVICES = inDefault('services');

describe('the node ports of a service', () => {
  it('are those of its ports and that for health checks', () => {
    const ports = [{ nodePort: 30_001 }, {}, { nodePort: 0 }];
    assert.deepEqual(nodePortsOf({ ports, healthCheckNodePort: 30_002 }), [30_001, 30_002]);
    assert.deepEqual(nodePortsOf({ ports }), [30_001]);
    assert.deepEqual(nodePortsOf(undefined), []);
  });
});

describe('a load balancer that asks each node for its health', () => {
  const balanced = (more: Json): Json => ({
    spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 1 }], ...more },
  });

  it('asks at a free port', async () => {
    const { body } = await api.request('GET', await api.create(SERVICES, balanced({})));
    const { spec } = body as Service;
    const port = spec?.healthCheckNodePort ?? 0;
    assert.ok(port >= 30_000 && port <= 32_767, String(port));
    assert.notEqual(port, spec?.ports?.[0]?.nodePort);
  });

  it('asks at the port that it names, which then is taken', async () => {
    const path = await api.create(SERVICES, balanced({ healthCheckNodePort: 31_000 }));
    const { body } = await api.request('GET', path);
    assert.equal((body as Service).spec?.healthCheckNodePort, 31_000);
    const another = { metadata: { name: 'other' }, ...balanced({ healthCheckNodePort: 31_000 }) };
    const { status, body: refusal } = await api.request('POST', SERVICES, { body: another });
    assert.equal(status, 500);
    assert.equal(
      (refusal as Status).message,
      'Internal error occurred: failed to allocate requested HealthCheck NodePort 31000: provided port is already allocated',
    );
  });

  it('forgets its addresses when it is one no more', async () => {
    const path = await api.create(SERVICES, balanced({}));
    const ingress = [{ ip: '192.0.2.1', ipMode: 'VIP' }];
    const merge = { 'content-type': 'application/merge-patch+json' };
    const told = await api.request('PATCH', `${path}/status`, {
      body: { status: { loadBalancer: { ingress } } },
      headers: merge,
    });
    assert.deepEqual((told.body as Service).status?.loadBalancer?.ingress, ingress);
    const spec = { type: 'ClusterIP', externalTrafficPolicy: null, healthCheckNodePort: null };
    const { status, body } = await api.request('PATCH', path, { body: { spec }, headers: merge });
    assert.equal(status, 200);
    assert.deepEqual((body as Service).status?.loadBalancer, {});
  });

  it('gives the port back when it is gone', async () => {
    const path = await api.create(SERVICES, balanced({ healthCheckNodePort: 31_001 }));
    await api.request('DELETE', path);
    assert.deepEqual(await api.refusals(SERVICES, balanced({ healthCheckNodePort: 31_001 })), []);
  });
});
