import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Endpoints, Service } from '@windlass/apimachinery/api/core/v1';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { OwnCalls } from './own-calls.ts';
import { publishEndpoint } from './system-objects.ts';

const IN_DEFAULT = 'namespaces/default';

describe('the service by which pods find the API', () => {
  const store = createMemoryStore();
  const server = new ApiServer({ store });
  const calls = new OwnCalls(server.transport());
  before(() => server.ready());
  after(() => server.close());

  const get = async <T>(path: string): Promise<T> =>
    // The server answers with the kind of the path.
    (await server.transport().request({ method: 'GET', path })).body as T;

  /** Where the service leads, as both kinds of objects say it. */
  async function leadsTo(): Promise<unknown[]> {
    const { subsets = [] } = await get<Endpoints>(`/api/v1/${IN_DEFAULT}/endpoints/kubernetes`);
    const slice = await get<EndpointSlice>(
      `/apis/discovery.k8s.io/v1/${IN_DEFAULT}/endpointslices/kubernetes`,
    );
    return [
      subsets.flatMap(({ addresses = [], ports = [] }) => [addresses[0]?.ip, ports[0]?.port]),
      [slice.addressType, slice.ports?.[0]?.port, slice.endpoints?.[0]?.addresses],
    ];
  }

  it('has the first address of the range', async () => {
    await publishEndpoint(store, calls, { addresses: ['192.0.2.1'], port: 6443 }, '10.0.0.1');
    const { spec } = await get<Service>(`/api/v1/${IN_DEFAULT}/services/kubernetes`);
    assert.deepEqual([spec?.clusterIP, spec?.ports?.[0]?.port], ['10.0.0.1', 443]);
    assert.deepEqual(await leadsTo(), [
      ['192.0.2.1', 6443],
      ['IPv4', 6443, ['192.0.2.1']],
    ]);
  });

  it('leads to where the server is after its next start', async () => {
    await publishEndpoint(store, calls, { addresses: ['192.0.2.2'], port: 7443 }, '10.0.0.1');
    assert.deepEqual(await leadsTo(), [
      ['192.0.2.2', 7443],
      ['IPv4', 7443, ['192.0.2.2']],
    ]);
  });

  it('leads nowhere where the machine has no address but loopback', async () => {
    await publishEndpoint(store, calls, { addresses: [], port: 7443 }, '10.0.0.1');
    assert.deepEqual(await leadsTo(), [[], ['IPv4', 7443, undefined]]);
  });
});
