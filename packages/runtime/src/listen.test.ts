import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { channel } from 'node:diagnostics_channel';
import { test } from 'node:test';
import { nextTurn } from '@windlass/base';
import { listen, listenWithin } from './listen.ts';

// A listener that throws would end this process, and with it the test: Node makes it an uncaught exception.

/** The warnings of the process while the body runs, and until they have been told. */
async function warnings(body: () => Promise<void> | void): Promise<string[]> {
  const told: string[] = [];
  const hear = ({ message }: Error): void => void told.push(message);
  process.on('warning', hear);
  try {
    await body();
    await nextTurn();
    await nextTurn();
  } finally {
    process.off('warning', hear);
  }
  return told;
}

const reads = channel('windlass:cache:read');
const starts = channel('windlass:reconcile:start');

for (const [how, fail] of [
  [
    'throws',
    () => {
      throw new Error('no memory left');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('no memory left'))],
  [
    'throws what is no error',
    () => {
      // What a listener throws is its own affair.
      // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
      throw 'no memory left';
    },
  ],
] as const)
  test(`a listener that ${how} is a warning, once, and the others are told`, async () => {
    let calls = 0;
    let heard = 0;
    const listener = (): unknown => {
      calls++;
      return fail();
    };
    const told = await warnings(() => {
      using _other = listen('windlass:cache:read', () => heard++);
      for (let time = 0; time < 2; time++) {
        // Who listens anew is the same listener.
        using _ = listen('windlass:cache:read', listener);
        for (let read = 0; read < 3; read++) reads.publish({ kind: 'pods', key: 'a', count: 1 });
      }
    });
    assert.deepEqual([calls, heard], [6, 6]);
    assert.equal(told.length, 1, told.join('\n'));
    assert.match(told[0] ?? '', /^a listener of windlass:cache:read failed, .*no memory left/);
    assert.equal(reads.hasSubscribers, false);
  });

test('each listener that fails is warned of', async () => {
  const told = await warnings(() => {
    const failing = (text: string) => () => {
      throw new Error(text);
    };
    using _a = listen('windlass:cache:read', failing('a'));
    using _b = listen('windlass:cache:read', failing('b'));
    reads.publish({ kind: 'pods', key: 'a', count: 1 });
  });
  assert.deepEqual(
    told.map((text) => text.at(-1)),
    ['a', 'b'],
  );
});

test('a run has the value that it was given, and none when that fails', async () => {
  const storage = new AsyncLocalStorage<string | undefined>();
  const seen: unknown[] = [];
  const run = (controller: string): void =>
    starts.runStores({ controller }, () => void seen.push(storage.getStore()));
  const told = await warnings(() => {
    using _ = listenWithin(storage, ({ controller }) => {
      if (controller === 'bad') throw new Error('unknown controller');
      return `run of ${controller}`;
    });
    run('good');
    run('bad');
    run('bad');
  });
  run('good');
  assert.deepEqual(seen, ['run of good', undefined, undefined, undefined]);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? '', /unknown controller/);
});
