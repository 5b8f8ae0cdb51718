// Controllers and managers against the real embedded API server, in process.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setControllerReference } from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore } from '@windlass/apiserver';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient } from '@windlass/client';
import { Manager } from './manager/manager.ts';
import type { ManagerOptions } from './manager/manager-options.ts';
import { reasonText } from './reason.ts';

interface Fixture extends AsyncDisposable {
  readonly server: ApiServer;
  readonly client: Client;
  manager(options?: Partial<ManagerOptions>): Manager;
}

async function start(): Promise<Fixture> {
  const server = new ApiServer({ store: createMemoryStore() });
  const client = createClient({ transport: server.transport(), fieldManager: 'tests' });
  await client.request({ method: 'GET', path: '/readyz' });
  const managers: Manager[] = [];
  return {
    server,
    client,
    manager(options = {}) {
      const manager = new Manager({ transport: server.transport(), ...options });
      managers.push(manager);
      return manager;
    },
    async [Symbol.asyncDispose]() {
      for (const manager of managers) await manager.stop();
      await client.close();
      await server.close();
    },
  };
}

const map = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  metadata: { name, namespace: 'default' },
  data,
});

describe('the loop', () => {
  it('reconciles what there is and what happens, and says why', async () => {
    await using api = await start();
    const maps = api.client.resource(ConfigMap).namespace('default');
    await maps.create(map('old', { copy: 'yes' }));
    const manager = api.manager();
    const why = new Map<string, string[]>();
    manager
      .controller('copies')
      .for(ConfigMap, { namespace: 'default' })
      .owns(Secret)
      .reconcile(async (key, { reasons, signal }) => {
        why.set(key, [...(why.get(key) ?? []), ...reasons.kept.map(reasonText)]);
        const source = await manager.objects(ConfigMap).find(key, { signal });
        if (source?.data?.['copy'] !== 'yes') return;
        const secret: Secret = { metadata: { name: `${source.metadata.name}-copy`, namespace: 'default' } };
        await manager
          .objects(Secret)
          .apply(setControllerReference(source, secret), { fieldManager: 'copies' });
      });
    await manager.start();
    const secrets = api.client.resource(Secret).namespace('default');
    const names = async (): Promise<string[]> =>
      (await secrets.list()).items.flatMap(({ metadata }) => metadata.name ?? []).sort();
    await until('the copy of the old map', async () => (await names()).includes('old-copy'));
    assert.match(why.get('default/old')?.[0] ?? '', /^initial of configmaps default\/old at \d+$/);

    await maps.create(map('new', { copy: 'yes' }));
    await until('the copy of the new map', async () => (await names()).includes('new-copy'));
    await until(
      'the reason',
      () => why.get('default/new')?.some((text) => text.startsWith('add of secrets')) === true,
    );

    await secrets.delete('new-copy');
    await until('the copy of the new map', async () => (await names()).includes('new-copy'));
    assert.ok(why.get('default/new')?.some((text) => text.startsWith('delete of secrets default/new-copy')));
  });
});
