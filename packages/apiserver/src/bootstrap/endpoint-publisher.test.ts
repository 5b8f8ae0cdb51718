import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSlice } from '@windlass/apimachinery/api/discovery/v1';
import { FakeClock, silentLogger } from '@windlass/base';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import type { SharingServers, Store } from '../storage/store.ts';
import { EndpointPublisher } from './endpoint-publisher.ts';
import { OwnCalls } from './own-calls.ts';

/** Addresses that live for fifteen seconds. */
class Announced implements SharingServers {
  readonly #clock: FakeClock;
  readonly #until = new Map<string, number>();

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  async announce(address: string): Promise<void> {
    this.#until.set(address, this.#clock.now() + 15_000);
  }

  async withdraw(address: string): Promise<void> {
    this.#until.delete(address);
  }

  async list(): Promise<string[]> {
    return [...this.#until].filter(([, until]) => until > this.#clock.now()).map(([address]) => address);
  }
}

test('each server that lives is in the list, and one that is gone or stops is not', async (context) => {
  const clock = new FakeClock();
  const memory = createMemoryStore();
  const server = new ApiServer({ store: memory });
  context.after(() => server.close());
  await server.ready();
  const calls = new OwnCalls(server.transport());
  const servers = new Announced(clock);
  const store: Store = Object.create(memory, {
    servers: { value: servers },
    get: { value: memory.get.bind(memory) },
  });
  const publisher = (): EndpointPublisher =>
    new EndpointPublisher({ store, calls, clock, logger: silentLogger, serviceIp: '10.0.0.1' });
  const listed = async (): Promise<readonly string[]> => {
    const path = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes';
    const { endpoints } = (await server.transport().request({ method: 'GET', path })).body as EndpointSlice;
    return (endpoints ?? []).flatMap(({ addresses }) => addresses);
  };
  const [one, other] = [publisher(), publisher()];
  await one.start({ addresses: ['192.0.2.2'], port: 7443 });
  await servers.announce('192.0.2.9');
  await other.start({ addresses: ['192.0.2.1'], port: 7443 });
  assert.deepEqual(await listed(), ['192.0.2.1', '192.0.2.2', '192.0.2.9']);
  // Nobody announces the third one again.
  await clock.advance(10_000);
  await clock.advance(10_000);
  for (let turn = 0; turn < 1000 && (await listed()).includes('192.0.2.9'); turn++)
    await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(await listed(), ['192.0.2.1', '192.0.2.2']);
  await other.stop();
  assert.deepEqual(await listed(), ['192.0.2.2']);
  await one.stop();
  assert.deepEqual(await listed(), ['192.0.2.2']);
});
