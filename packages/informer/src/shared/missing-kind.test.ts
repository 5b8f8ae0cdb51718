// A kind that the server does not serve: said once, and taken up when it comes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLogger, type LogRecord, memoryWriter } from '@windlass/base';
import { createClient } from '@windlass/client';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import { SharedInformerFactory } from './shared-informer-factory.ts';

const FOO = { group: 'example.com', version: 'v1', kind: 'Foo', plural: 'foos', namespaced: true };
const DEFINITION = {
  metadata: { name: 'foos.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { kind: 'Foo', plural: 'foos' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

type Row = readonly [string, (factory: SharedInformerFactory) => { readonly hasSynced: boolean }, string];

/** Moves the clock until it holds. */
async function eventually(cluster: TestCluster, holds: () => boolean): Promise<void> {
  for (let second = 0; second < 60 && !holds(); second++) {
    await cluster.clock.advance(1000);
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

const told = ({ records }: { readonly records: readonly LogRecord[] }): string[] =>
  records.filter(({ level }) => level !== 'debug').map(({ level, message }) => `${level}: ${message}`);

describe('a kind that is not served', () => {
  for (const [how, informerOf, name] of [
    ['by its type', (factory) => factory.informer(FOO), 'the kind Foo (foos.example.com/v1)'],
    [
      'by its kind',
      (factory) => factory.informer({ group: 'example.com', kind: 'Foo' }),
      'the kind Foo (example.com)',
    ],
  ] as const satisfies readonly Row[])
    it(`is said once and taken up when it comes, watched ${how}`, async () => {
      await using cluster = await startTestCluster();
      const log = memoryWriter();
      const requests: string[] = [];
      const inner = cluster.transport();
      const watch: typeof inner.watch = (request) => {
        requests.push(request.path);
        return inner.watch(request);
      };
      await using client = createClient({ transport: { ...inner, watch }, clock: cluster.clock });
      await using factory = new SharedInformerFactory({
        client,
        clock: cluster.clock,
        logger: createLogger(log),
      });
      const informer = informerOf(factory);
      factory.start();
      await eventually(cluster, () => false);
      assert.equal(told(log).length, 1, told(log).join('\n'));
      assert.match(
        told(log)[0] ?? '',
        /^warn: the API server does not serve .*; install its definition with kubectl apply -f/,
      );
      assert.ok(told(log).join().includes(name), told(log).join());
      assert.match(told(log)[0] ?? '', /windlass generate crds/);
      // A minute: at first more often, then every five seconds.
      assert.ok(requests.length < 25, `${requests.length} requests`);
      await cluster.install(DEFINITION);
      const before = cluster.clock.monotonic();
      await eventually(cluster, () => informer.hasSynced);
      assert.ok(informer.hasSynced);
      assert.ok(cluster.clock.monotonic() - before <= 12_000, 'it took too long');
      assert.match(told(log)[1] ?? '', /^info: the API server serves .* now$/);
    });
});
