// Writes with many hands until it is killed, and says on stdout which writes were answered:
//   node crash-writer.ts DIRECTORY SEED
// Without a seed it opens the store, closes it and ends: then Node has compiled everything once.
import { SeededRandom } from '@windlass/base';
import { RevisionConflictError } from '../errors.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { crashObject } from './crash-object.ts';

const [directory = '', seed] = process.argv.slice(2);
const store = await openSqliteStore(directory);
// A pipe is written to at once, so that a line that came out of here was answered before.
const say = (line: string): void => void process.stdout.write(`${line}\n`);
say('open');
if (seed === undefined) {
  await store.close();
  process.exit();
}
const random = new SeededRandom(Number(seed));
let serial = 0;

async function writeOnce(): Promise<void> {
  const name = `object-${random.int(40)}`;
  const key = `/test/crashes/x/${name}`;
  const current = await store.get(key);
  const mine = ++serial;
  try {
    if (current !== undefined && random.int(5) === 0) {
      const { revision } = await store.delete(key, current.revision);
      say(`${revision} delete ${key} 0`);
    } else {
      const object = crashObject(name, mine, random.int(random.int(10) === 0 ? 60_000 : 1500));
      const { revision } = await store.put(key, object, current?.revision ?? 0);
      say(`${revision} put ${key} ${mine}`);
    }
  } catch (error) {
    if (!(error instanceof RevisionConflictError)) throw error;
  }
  // The parent follows from where it was before this process: that is less than so many writes ago.
  if (random.int(50) === 0 && store.revision > 2000) await store.compact(store.revision - 2000);
}

await Promise.all(
  Array.from({ length: 24 }, async () => {
    for (;;) await writeOnce();
  }),
);
