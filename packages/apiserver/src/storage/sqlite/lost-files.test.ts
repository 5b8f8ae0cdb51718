// Every file of a store deleted or replaced by an older copy, one at a time and in pairs, after a stop and after a
// kill: the data is whole, or the start says what is lost; and whoever accepts that goes on above what was.
import assert from 'node:assert/strict';
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { createLogger, type LogRecord } from '@windlass/base';
import { StoreLostWritesError } from '../errors.ts';
import type { Store } from '../store.ts';
import { memoryDirectory } from '../testing/directories.ts';
import { openInThread } from '../testing/in-thread-store.ts';
import { write } from '../testing/objects.ts';
import { LostWritesError } from './failures.ts';
import { openSqliteStore } from './sqlite-store.ts';

const FILES = ['state/state.db', 'state/state.db-wal', 'state/state.owner', 'state.mark'] as const;
type File = (typeof FILES)[number];
const DAMAGES = ['deleted', 'older'] as const;
type Damage = { readonly file: File; readonly how: (typeof DAMAGES)[number] };

const singles: readonly Damage[] = FILES.flatMap((file) => DAMAGES.map((how) => ({ file, how })));
const pairs: readonly (readonly Damage[])[] = singles.flatMap((one, index) =>
  singles.slice(index + 1).flatMap((other) => (other.file === one.file ? [] : [[one, other]])),
);
const MATRIX: readonly (readonly Damage[])[] = [...singles.map((one) => [one]), ...pairs];

const open = (home: string, acceptsLoss = false): Store =>
  openInThread(join(home, 'state'), { markPath: join(home, 'state.mark'), acceptsLoss });

async function contents(store: Store): Promise<unknown> {
  const { items, revision } = await store.list('');
  return [revision, items.map((item) => [item.key, item.revision, item.object])];
}

/** A directory as it was, later, and later still after a stop or a kill. What is in it, and the last revision. */
async function prepare(base: string, end: 'stop' | 'kill') {
  const home = join(base, 'live');
  const before = open(home);
  for (let index = 0; index < 5; index++) await write(before, `/a/${index}`, 'first');
  await before.close();
  const store = open(home);
  for (let index = 0; index < 5; index++) await write(store, `/b/${index}`, 'second');
  cpSync(home, join(base, 'older'), { recursive: true });
  await store.delete('/a/1', 2);
  for (let index = 0; index < 5; index++) await write(store, `/c/${index}`, 'third');
  const expected = await contents(store);
  const { revision } = store;
  if (end === 'kill') cpSync(home, join(base, 'newest'), { recursive: true });
  await store.close();
  if (end === 'stop') cpSync(home, join(base, 'newest'), { recursive: true });
  return { expected, revision };
}

function damaged(base: string, damages: readonly Damage[]): string {
  const home = join(base, 'damaged');
  rmSync(home, { recursive: true, force: true });
  cpSync(join(base, 'newest'), home, { recursive: true });
  for (const { file, how } of damages) {
    rmSync(join(home, file), { force: true });
    const older = join(base, 'older', file);
    if (how === 'older' && existsSync(older)) cpSync(older, join(home, file));
  }
  return home;
}

for (const end of ['stop', 'kill'] as const)
  describe(`files that are lost after a ${end}`, () => {
    test('one at a time and in pairs: everything is there, or the start says what is not', async (context) => {
      const base = memoryDirectory(context);
      const { expected, revision } = await prepare(base, end);
      const outcomes = { whole: 0, lost: 0, damaged: 0 };
      for (const damages of MATRIX) {
        const name = damages.map(({ file, how }) => `${file} ${how}`).join(', ');
        let store: Store | undefined;
        const home = damaged(base, damages);
        try {
          store = open(home);
        } catch (error) {
          if (error instanceof LostWritesError) {
            outcomes.lost++;
            assert.equal(error.lost.reached, revision, name);
            assert.ok(error.lost.last < revision, name);
            await goesOn(home, name, error.lost.last, revision);
          } else outcomes.damaged++;
          continue;
        }
        try {
          assert.deepEqual(await contents(store), expected, name);
          outcomes.whole++;
        } finally {
          await store.close();
        }
      }
      context.diagnostic(`${MATRIX.length} ways: ${JSON.stringify(outcomes)}`);
      assert.ok(outcomes.whole > 0 && outcomes.lost > 0);
    });
  });

/** Accepted, what is left is there; no revision comes again, not even one that nobody here knows of any more. */
async function goesOn(home: string, name: string, last: number, reached: number): Promise<void> {
  const store = open(home, true);
  assert.ok(store.revision > reached, name);
  for (const { revision } of (await store.list('')).items) assert.ok(revision <= last, name);
  assert.ok((await write(store, '/d/1', 'new')).revision > reached, name);
  const expected = await contents(store);
  await store.close();
  const again = open(home);
  assert.deepEqual(await contents(again), expected, name);
  await again.close();
}

describe('lost writes', () => {
  const lose = async (base: string): Promise<string> => {
    await prepare(base, 'kill');
    return damaged(base, [
      { file: 'state/state.db-wal', how: 'deleted' },
      { file: 'state/state.owner', how: 'deleted' },
    ]);
  };

  test('are refused with the revisions and what to do, and left as they are', async (context) => {
    const home = await lose(memoryDirectory(context));
    for (let start = 0; start < 2; start++)
      await assert.rejects(
        openSqliteStore(join(home, 'state'), { markPath: join(home, 'state.mark') }),
        (error) => {
          assert.ok(error instanceof StoreLostWritesError);
          assert.deepEqual([error.last, error.reached], [5, 16]);
          assert.match(
            error.message,
            /has lost its writes of the revisions 6 to 16: .*\(state\.mark says so\).*restore the directory from a backup, or accept the loss with --accept-data-loss/,
          );
          return true;
        },
      );
  });

  test('that are accepted are warned of', async (context) => {
    const home = await lose(memoryDirectory(context));
    const records: LogRecord[] = [];
    const logger = createLogger((record) => void records.push(record), 'warn');
    const options = { markPath: join(home, 'state.mark'), acceptsLoss: true, logger };
    const store = await openSqliteStore(join(home, 'state'), options);
    const [warning] = records;
    assert.match(warning?.message ?? '', /writes are lost, as was accepted/);
    const { directory, ...numbers } = warning?.fields ?? {};
    assert.deepEqual(numbers, { lostFrom: 6, lostTo: 16, goesOnAt: 10_016 });
    assert.equal(directory, join(home, 'state'));
    assert.equal(store.revision, 10_016);
    await store.close();
  });

  test('do not hide damage: what is accepted is whole', async (context) => {
    const home = await lose(memoryDirectory(context));
    const database = new DatabaseSync(join(home, 'state/state.db'));
    database.exec('DELETE FROM log WHERE revision = 3');
    database.close();
    assert.throws(() => open(home, true), /revision 3 of the log is missing/);
  });

  test('are none when the mark is nonsense or behind', async (context) => {
    const base = memoryDirectory(context);
    const { expected } = await prepare(base, 'stop');
    for (const text of ['', 'x', '99', `${'9'.repeat(40)}\n`, '3 \n']) {
      const home = damaged(base, []);
      writeFileSync(join(home, 'state.mark'), text);
      const store = open(home);
      assert.deepEqual(await contents(store), expected, JSON.stringify(text));
      await store.close();
    }
  });
});
