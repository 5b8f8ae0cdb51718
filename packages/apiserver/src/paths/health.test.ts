// What /readyz says when the disk is full: a real one, and a database with a limit.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { KubeObject, Transport } from '@windlass/apimachinery';
import { ApiServer } from '../api-server.ts';
import { createMemoryStore } from '../storage/memory-store.ts';
import { openSqliteStore } from '../storage/sqlite/sqlite-store.ts';
import type { Store } from '../storage/store.ts';

const KIB = 1024;

async function get(transport: Transport, path: string): Promise<string> {
  const [pathname = '', query = ''] = path.split('?');
  const parameters = new URLSearchParams(query);
  const excluded = parameters.getAll('exclude');
  const { status, body } = await transport.request({
    method: 'GET',
    path: pathname,
    query: { ...Object.fromEntries(parameters), ...(excluded.length > 0 && { exclude: excluded }) },
  });
  return `${status} ${String(body)}`;
}

async function create(transport: Transport, name: string, bytes: number): Promise<number> {
  const { status } = await transport.request({
    method: 'POST',
    path: '/api/v1/namespaces/default/configmaps',
    body: { metadata: { name }, data: { filler: 'x'.repeat(bytes) } },
  });
  return status;
}

const definition = (plural: string): KubeObject =>
  ({
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind: plural, listKind: `${plural}List` },
      versions: [
        { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    },
  }) as KubeObject;

/** A file system in memory of so many bytes, which needs root and Linux. */
function smallDisk(context: TestContext, bytes: number): string {
  const directory = mkdtempSync(join(tmpdir(), 'windlass-small-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'windlass-test', directory]);
  context.after(() => {
    execFileSync('umount', [directory]);
    rmSync(directory, { recursive: true });
  });
  return directory;
}

describe('the health of the server', () => {
  const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
  it('follows the disk: full, and free again', {
    skip: !mayMount && 'a small tmpfs needs root',
  }, async (context) => {
    const directory = smallDisk(context, 4096 * KIB);
    const store = await openSqliteStore(join(directory, 'state'));
    await using server = new ApiServer({ store });
    await server.ready();
    const transport = server.transport();
    for (const endpoint of ['healthz', 'livez', 'readyz'])
      assert.equal(await get(transport, `/${endpoint}`), '200 ok');
    assert.match(
      await get(transport, '/readyz?verbose'),
      /^200 \[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd ok\n/,
    );

    // Somebody else fills it.
    const { bavail, bsize } = statfsSync(directory);
    writeFileSync(join(directory, 'others'), Buffer.alloc(bavail * bsize));
    assert.equal(await create(transport, 'a', 100 * KIB), 500);
    for (const endpoint of ['healthz', 'readyz']) {
      assert.match(await get(transport, `/${endpoint}`), /^500 .*\[-\]etcd failed: reason withheld/s);
      for (const name of ['storage', 'etcd'])
        assert.match(
          await get(transport, `/${endpoint}/${name}`),
          /^500 internal server error: .* has no room/,
        );
      assert.equal(await get(transport, `/${endpoint}?exclude=etcd&exclude=etcd-readiness`), '200 ok');
    }
    // To start again would not help.
    assert.equal(await get(transport, '/livez'), '200 ok');

    // Nobody writes meanwhile, and it is seen all the same.
    rmSync(join(directory, 'others'));
    assert.equal(await get(transport, '/readyz'), '200 ok');
    assert.equal(await get(transport, '/readyz/storage'), '200 ok');
    assert.equal(await create(transport, 'a', 100 * KIB), 201);
    // The store is closed before its disk goes.
    await server.close();
  });

  it('names its checks, and those that are excluded, as upstream does', async () => {
    await using server = new ApiServer({ store: createMemoryStore() });
    await server.ready();
    const transport = server.transport();
    const whole = await get(transport, '/readyz?verbose');
    for (const line of [
      '[+]ping ok',
      '[+]etcd ok',
      '[+]informer-sync ok',
      '[+]poststarthook/start-apiextensions-controllers ok',
      '[+]poststarthook/rbac/bootstrap-roles ok',
      '[+]autoregister-completion ok',
      'readyz check passed',
    ])
      assert.ok(whole.slice('200 '.length).split('\n').includes(line), `${line} in ${whole}`);
    assert.doesNotMatch(await get(transport, '/livez?verbose'), /\]informer-sync ok/);
    assert.match(await get(transport, '/readyz?verbose&exclude=etcd'), /\n\[\+\]etcd excluded: ok\n/);
    assert.match(
      await get(transport, '/readyz?verbose&exclude=nobody'),
      /\nwarn: some health checks cannot be excluded: no matches for "nobody"\nreadyz check passed\n$/,
    );
    assert.equal(await get(transport, '/livez/poststarthook/rbac/bootstrap-roles'), '200 ok');
    assert.equal(await get(transport, '/livez/nobody'), '404 404 page not found\n');
  });

  it('follows definitions again after a full disk', { timeout: 60_000 }, async (context) => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-health-'));
    context.after(() => rmSync(directory, { recursive: true }));
    const store = await openSqliteStore(directory);
    const full = Promise.withResolvers<void>();
    let failures = 0;
    await using server = new ApiServer({
      store: failing(store, (object, expected) => {
        // The status of the definition does not fit, twice. A write on no revision creates it.
        const isStatus = object.kind === 'CustomResourceDefinition' && expected > 0;
        if (!isStatus || failures >= 2) return false;
        failures++;
        full.resolve();
        return true;
      }),
    });
    await server.ready();
    const transport = server.transport();
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const { status, body } = await transport.request({ method: 'POST', path, body: definition('widgets') });
    assert.equal(status, 201, JSON.stringify(body));
    await full.promise;
    for (let answer = ''; !answer.startsWith('500'); answer = await get(transport, '/readyz/informer-sync'))
      await new Promise((next) => setImmediate(next));
    for (let served = 0; served !== 200; ) {
      const widgets = '/apis/example.org/v1/namespaces/default/widgets';
      served = (await transport.request({ method: 'GET', path: widgets })).status;
      await new Promise((next) => setImmediate(next));
    }
    for (let answer = ''; answer !== '200 ok'; answer = await get(transport, '/readyz'))
      await new Promise((next) => setImmediate(next));
  });
});

/** The store, whose writes fail where `isFull` says so. */
function failing(store: Store, isFull: (object: KubeObject, expected: number) => boolean): Store {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'put') return value.bind(target) as unknown;
      return async (...args: Parameters<Store['put']>) => {
        if (isFull(args[1] as KubeObject, args[2])) throw new Error('no room');
        return target.put(...args);
      };
    },
  });
}
