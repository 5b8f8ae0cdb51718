import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { type TestContext, test } from 'node:test';
import { FakeClock, SeededRandom } from '@windlass/base';
import { added, deleted, modified, ScriptedListWatch, thing } from '../testing/scripted-list-watch.ts';
import type { TestObject } from '../testing/test-object.ts';
import type { PublishedChange, PublishedReport } from './diagnostics.ts';
import { SharedInformer } from './shared-informer.ts';

function heard<M>(t: TestContext, name: string): M[] {
  const messages: M[] = [];
  const listen = (message: unknown): void => void messages.push(message as M);
  subscribe(name, listen);
  t.after(() => unsubscribe(name, listen));
  return messages;
}

test('whoever subscribes follows every change of every cache, and every interruption', async (t) => {
  const changes = heard<PublishedChange>(t, 'windlass:informer:change');
  const reports = heard<PublishedReport>(t, 'windlass:informer:report');
  const clock = new FakeClock();
  const server = new ScriptedListWatch();
  await using informer = new SharedInformer<TestObject>({
    listWatch: server,
    resource: { group: 'example.com', plural: 'things' },
    clock,
    random: new SeededRandom(1),
    streaming: false,
  });
  let publishedWhenTold = -1;
  informer.addHandler({
    onAdd: () => {
      if (publishedWhenTold === -1) publishedWhenTold = changes.length;
    },
  });
  informer.start();
  await clock.settle();
  server.waitingList.answer(10, [thing('a', 1)]);
  await clock.settle();
  server.lastWatch.send(modified(thing('a', 11)), added(thing('b', 12)), deleted(thing('a', 13)));
  await clock.settle();
  server.lastWatch.fail(new Error('reset'));
  await clock.settle();
  assert.equal(publishedWhenTold, 1, 'before the handlers');
  assert.deepEqual(
    changes.map(({ informer: name, type, key, resourceVersion }) => [name, type, key, resourceVersion]),
    [
      ['things.example.com', 'add', 'ns/a', '1'],
      ['things.example.com', 'update', 'ns/a', '11'],
      ['things.example.com', 'add', 'ns/b', '12'],
      ['things.example.com', 'delete', 'ns/a', '13'],
    ],
  );
  assert.deepEqual(
    reports.map(({ informer: name, report }) => [name, report.what, report.failure?.error.message]),
    [['things.example.com', 'reopen', 'reset']],
  );
});
