// A writer is killed again and again, without warning. Whatever it had an answer for must be there, whole.
// WINDLASS_CRASH_KILLS sets how often (default 25), WINDLASS_SEED where to begin.
import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { SeededRandom } from '@windlass/base';
import { testSeed } from '@windlass/base/testing';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import type { Store, StoreEvent } from './store.ts';
import { wholeSerial } from './testing/crash-object.ts';
import { temporaryDirectory } from './testing/directories.ts';
import { openInThread } from './testing/in-thread-store.ts';
import { take } from './testing/objects.ts';

const KILLS = Number(process.env['WINDLASS_CRASH_KILLS'] ?? 25);
const SEED = testSeed();
const WRITER = new URL('./testing/crash-writer.ts', import.meta.url).pathname;

interface Answer {
  readonly revision: number;
  readonly type: string;
  readonly key: string;
  readonly serial: number;
}

/** Starts a writer; what is compiled for one is there for the next. */
function writer(cache: string, ...args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, [WRITER, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
  });
}

/** Runs a writer until it has said `lines`, kills it, and returns what it had an answer for. */
async function writeAndKill(
  directory: string,
  cache: string,
  seed: number,
  lines: number,
): Promise<Answer[]> {
  const child = writer(cache, directory, String(seed));
  let output = '';
  let count = 0;
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    count += text.split('\n').length - 1;
    if (count >= lines) child.kill('SIGKILL');
  });
  const [, signal] = await once(child, 'close');
  assert.equal(signal, 'SIGKILL', 'the writer ended by itself');
  // The last piece is empty, or a line that was cut off.
  const whole = output.split('\n').slice(0, -1);
  assert.equal(whole.shift(), 'open');
  return whole.map((line) => {
    const [revision, type = '', key = '', serial] = line.split(' ');
    return { revision: Number(revision), type, key, serial: Number(serial) };
  });
}

/** What a client knows that has only ever watched. */
class Mirror {
  readonly serials = new Map<string, number>();
  revision = 0;

  apply(event: StoreEvent): void {
    assert.equal(event.revision, this.revision + 1, 'an event is missing, or came twice');
    this.revision = event.revision;
    assert.equal(event.previous && wholeSerial(event.previous), this.serials.get(event.key));
    if (event.type === 'delete') this.serials.delete(event.key);
    else this.serials.set(event.key, wholeSerial(event.stored));
  }
}

async function check(store: Store, mirror: Mirror, answers: readonly Answer[]): Promise<void> {
  assert.ok(store.revision >= mirror.revision, 'the revision went back');
  await using watch = store.watch('/test/crashes/', { fromRevision: mirror.revision });
  const events = await take(watch, store.revision - mirror.revision);
  const byRevision = new Map(events.map((event) => [event.revision, event]));
  for (const event of events) mirror.apply(event);
  for (const { revision, type, key, serial } of answers) {
    const event = byRevision.get(revision);
    assert.ok(event, `revision ${revision} was answered and is gone`);
    assert.deepEqual([event.type, event.key], [type, key]);
    if (type === 'put') assert.equal(wholeSerial(event.stored), serial);
  }
  const { items } = await store.list('/test/crashes/');
  assert.deepEqual(
    items.map((item) => [item.key, wholeSerial(item)]),
    [...mirror.serials].sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

test(`an answered write survives kill -9: ${KILLS} kills from seed ${SEED}`, async (context) => {
  const base = temporaryDirectory(context);
  const directory = join(base, 'store');
  const random = new SeededRandom(SEED);
  const mirror = new Mirror();
  // A process that is killed leaves nothing of what it compiled; this one does.
  await once(writer(join(base, 'cache'), directory), 'exit');
  let answered = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const lines = 1 + random.int(random.int(4) === 0 ? 400 : 40);
    const answers = await writeAndKill(directory, join(base, 'cache'), random.int(2 ** 31), lines);
    answered += answers.length;
    // Half the time in a copy, so that the next writer finds what the kill left. And mostly without the
    // store's thread, which takes a while to start.
    const where = random.int(2) === 0 ? directory : join(base, `copy-${kill}`);
    if (where !== directory) cpSync(directory, where, { recursive: true });
    const store = kill % 10 === 0 ? await openSqliteStore(where) : openInThread(where);
    try {
      await check(store, mirror, answers);
    } catch (error) {
      throw new Error(`after kill ${kill + 1} from WINDLASS_SEED=${SEED}`, { cause: error });
    } finally {
      await store.close();
    }
  }
  context.diagnostic(`${answered} answered writes, revision ${mirror.revision}`);
  assert.ok(answered >= KILLS && mirror.revision >= answered);
});
