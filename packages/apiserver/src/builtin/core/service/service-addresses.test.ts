// Addresses of services and their IPAddress objects, through the whole server.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ApiResponse, Transport } from '@windlass/apimachinery';
import { FakeClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { ApiServer } from '../../../api-server.ts';
import { createMemoryStore } from '../../../storage/memory-store.ts';
import type { Store } from '../../../storage/store.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const ADDRESSES = '/apis/networking.k8s.io/v1/ipaddresses';
const RANGES = '/apis/networking.k8s.io/v1/servicecidrs';

interface Json {
  readonly metadata: { readonly name: string; readonly labels?: Record<string, string> };
  readonly spec: { readonly clusterIP?: string; readonly parentRef?: object; readonly cidrs?: string[] };
  readonly items: readonly Json[];
  readonly message?: string;
}

class Api implements AsyncDisposable {
  readonly clock = new FakeClock({ start: Date.parse('2030-01-01T00:00:00Z') });
  readonly store: Store = createMemoryStore({ clock: this.clock });
  readonly server: ApiServer;
  readonly #transport: Transport;

  constructor(serviceCidr = '10.3.0.0/29') {
    this.server = new ApiServer({ store: this.store, clock: this.clock, serviceCidr });
    this.#transport = this.server.transport();
  }

  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: object,
    query = {},
  ): Promise<ApiResponse> {
    return this.#transport.request({
      method,
      path,
      query,
      ...(body !== undefined && { body }),
      ...(method === 'PATCH' && { headers: { 'content-type': 'application/merge-patch+json' } }),
    });
  }

  async must(status: number, ...call: Parameters<Api['call']>): Promise<Json> {
    const answer = await this.call(...call);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    return answer.body as Json;
  }

  /** Which service has which address, by the objects. */
  async addresses(): Promise<Record<string, unknown>> {
    const { items } = await this.must(200, 'GET', ADDRESSES);
    return Object.fromEntries(items.map(({ metadata, spec }) => [metadata.name, spec.parentRef]));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server.close();
  }
}

const service = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], ...spec },
});
const parent = (name: string): object => ({ resource: 'services', namespace: 'default', name });

describe('the address of a service', () => {
  it('is an object, with its service as parent, for as long as the service has it', async () => {
    await using api = new Api();
    const { spec } = await api.must(201, 'POST', SERVICES, service('a'));
    const address = spec.clusterIP ?? '';
    const object = await api.must(200, 'GET', `${ADDRESSES}/${address}`);
    assert.deepEqual(object.spec, { parentRef: parent('a') });
    assert.deepEqual(object.metadata.labels, {
      'ipaddress.kubernetes.io/ip-family': 'IPv4',
      'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
    });
    await api.must(200, 'DELETE', `${SERVICES}/a`);
    await api.must(201, 'POST', SERVICES, service('b', { clusterIP: address }));
    assert.deepEqual(await api.addresses(), { [address]: parent('b') });
    await api.must(200, 'PATCH', `${SERVICES}/b`, {
      spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null },
    });
    await until('the address is free', async () => Object.keys(await api.addresses()).length === 0);
  });

  it('is not one for headless services, dry runs and what is refused', async () => {
    await using api = new Api();
    await api.must(201, 'POST', SERVICES, service('headless', { clusterIP: 'None' }));
    await api.must(201, 'POST', SERVICES, service('dry'), { dryRun: 'All' });
    await api.must(422, 'POST', SERVICES, service('wrong', { sessionAffinity: 'never' }));
    await until('nothing is left', async () => Object.keys(await api.addresses()).length === 0);
  });

  it("is never one that somebody else's object names", async () => {
    await using api = new Api();
    for (const last of [1, 2, 3, 4, 5]) {
      const metadata = { name: `10.3.0.${last}` };
      await api.must(201, 'POST', ADDRESSES, {
        metadata,
        spec: { parentRef: { ...parent('x'), resource: 'others' } },
      });
    }
    assert.equal((await api.must(201, 'POST', SERVICES, service('a'))).spec.clusterIP, '10.3.0.6');
    const named = await api.must(422, 'POST', SERVICES, service('b', { clusterIP: '10.3.0.2' }));
    assert.match(named.message ?? '', /failed to allocate IP 10.3.0.2: provided IP is already allocated/);
    const full = await api.must(422, 'POST', SERVICES, service('c'));
    assert.match(full.message ?? '', /failed to allocate a serviceIP: range is full/);
  });

  it('comes from the next range when the first is full, if that is ready', async () => {
    await using api = new Api('10.3.0.0/30');
    await api.must(201, 'POST', RANGES, { metadata: { name: 'more' }, spec: { cidrs: ['10.4.0.0/30'] } });
    for (const name of ['a', 'b']) await api.must(201, 'POST', SERVICES, service(name));
    await api.must(422, 'POST', SERVICES, service('c'));
    const conditions = [
      { type: 'Ready', status: 'True', reason: '', message: '', lastTransitionTime: '2030-01-01T00:00:00Z' },
    ];
    await api.must(200, 'PATCH', `${RANGES}/more/status`, { status: { conditions } });
    const { spec } = await api.must(201, 'POST', SERVICES, service('c'));
    assert.match(spec.clusterIP ?? '', /^10\.4\.0\.[12]$/);
  });

  it('gets its object back when somebody deletes that, and what a crash left goes after a while', async () => {
    await using api = new Api();
    const { spec } = await api.must(201, 'POST', SERVICES, service('a'));
    const address = spec.clusterIP ?? '';
    await api.must(200, 'DELETE', `${ADDRESSES}/${address}`);
    await api.store.put(
      '/networking.k8s.io/ipaddresses/10.3.0.200',
      {
        metadata: {
          name: '10.3.0.200',
          creationTimestamp: '2030-01-01T00:00:00Z',
          labels: { 'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io' },
        },
        spec: { parentRef: parent('gone') },
      } as object,
      0,
    );
    await api.clock.advance(180_000);
    await until('both are right', async () => {
      const found = await api.addresses();
      return Object.keys(found).length === 1 && address in found;
    });
  });
});

describe('what an IPAddress and a ServiceCIDR may be', () => {
  const rows: [path: string, object: object, problem: string | undefined][] = [
    [ADDRESSES, { metadata: { name: 'fd00::1' }, spec: { parentRef: parent('a') } }, undefined],
    [ADDRESSES, { metadata: { name: '192.0.2.1' }, spec: { parentRef: parent('a') } }, undefined],
    [
      ADDRESSES,
      { metadata: { name: 'fd00:0::1' }, spec: { parentRef: parent('a') } },
      'must be in canonical form ("fd00::1")',
    ],
    [
      ADDRESSES,
      { metadata: { name: '192.0.2.01' }, spec: { parentRef: parent('a') } },
      'must not have leading 0s',
    ],
    [
      ADDRESSES,
      { metadata: { name: '::ffff:192.0.2.1' }, spec: { parentRef: parent('a') } },
      'must not be an IPv4-mapped IPv6 address',
    ],
    [
      ADDRESSES,
      { metadata: { name: 'here' }, spec: { parentRef: parent('a') } },
      'must be a valid IP address',
    ],
    [ADDRESSES, { metadata: { name: '192.0.2.2' }, spec: {} }, 'spec.parentRef: Required value'],
    [
      ADDRESSES,
      { metadata: { name: '192.0.2.2' }, spec: { parentRef: { name: 'a' } } },
      'spec.parentRef.resource: Required value',
    ],
    [RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.7.0.0/16', 'fd00::/112'] } }, undefined],
    [RANGES, { metadata: { name: 'b' }, spec: { cidrs: [] } }, 'at least one CIDR required'],
    [
      RANGES,
      { metadata: { name: 'b' }, spec: { cidrs: ['10.7.0.0/16', '10.8.0.0/16'] } },
      'may specify no more than one IP for each IP family',
    ],
    [
      RANGES,
      { metadata: { name: 'b' }, spec: { cidrs: ['10.7.0.1/16'] } },
      'must not have bits set beyond the prefix length',
    ],
    [
      RANGES,
      { metadata: { name: 'b' }, spec: { cidrs: ['fd00:0::/64'] } },
      'must be in canonical form ("fd00::/64")',
    ],
    [
      RANGES,
      { metadata: { name: 'b' }, spec: { cidrs: ['10.7.0.0/16', 'fd00::/64', 'fd01::/64'] } },
      'may only hold up to 2 values',
    ],
  ];
  it('is told in upstream words', async () => {
    await using api = new Api();
    for (const [path, object, problem] of rows) {
      const { status, body } = await api.call('POST', path, object);
      const what = JSON.stringify(object);
      if (problem === undefined) assert.equal(status, 201, `${what} ${JSON.stringify(body)}`);
      else {
        assert.equal(status, 422, what);
        assert.ok((body as Json).message?.includes(problem), `${what} ${(body as Json).message}`);
      }
    }
  });

  it('does not change, but for a second family', async () => {
    await using api = new Api();
    await api.must(201, 'POST', ADDRESSES, {
      metadata: { name: 'fd00::1' },
      spec: { parentRef: parent('a') },
    });
    await api.must(422, 'PATCH', `${ADDRESSES}/fd00::1`, { spec: { parentRef: { name: 'b' } } });
    await api.must(201, 'POST', RANGES, { metadata: { name: 'a' }, spec: { cidrs: ['10.7.0.0/16'] } });
    await api.must(422, 'PATCH', `${RANGES}/a`, { spec: { cidrs: ['10.8.0.0/16'] } });
    await api.must(200, 'PATCH', `${RANGES}/a`, { spec: { cidrs: ['10.7.0.0/16', 'fd00::/112'] } });
    await api.must(422, 'PATCH', `${RANGES}/a`, { spec: { cidrs: ['10.7.0.0/16'] } });
  });
});
