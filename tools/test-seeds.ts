// `npm run test:seeds -- [--count 30] [--from N] [--all] [PATTERN]`: the test files whose cases follow from
// WINDLASS_SEED, once for each of so many seeds. `--all` runs every test file, PATTERN those whose path contains it.
// `--limit SECONDS` begins no seed after that time, `--concurrency N` is how many files run at a time.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { batchFolder } from './run/batches.ts';
import { runProgram } from './run/program.ts';
import { failuresOf, runSeeds, wholeOption } from './run/seeds.ts';
import { seedDependent, testFiles } from './run/test-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEFAULT_COUNT = 30;
const DEFAULT_CONCURRENCY = 2;

async function main(signal: AbortSignal): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string' },
      from: { type: 'string' },
      concurrency: { type: 'string' },
      limit: { type: 'string' },
      all: { type: 'boolean' },
    },
  });
  const count = wholeOption('count', values.count, { byDefault: DEFAULT_COUNT, least: 1 });
  const from = wholeOption('from', values.from, { byDefault: 1, least: Number.MIN_SAFE_INTEGER });
  const concurrency = wholeOption('concurrency', values.concurrency, {
    byDefault: DEFAULT_CONCURRENCY,
    least: 1,
  });
  const limitSeconds = wholeOption('limit', values.limit, { byDefault: Number.MAX_SAFE_INTEGER, least: 1 });
  const found = testFiles(ROOT, positionals[0]);
  const files = values.all === true ? found : seedDependent(ROOT, found);
  if (files.length === 0) {
    console.error('test:seeds: no test file matches; with --all also those that no seed changes');
    return 2;
  }
  console.log(`test:seeds: ${files.length} files, seeds ${from} to ${from + count - 1}`);
  return runSeeds({
    name: 'test:seeds',
    from,
    count,
    limitSeconds,
    signal,
    again: 'WINDLASS_SEED=N npm test -- FILE',
    run: (seed) => failuresOf(seed, { files, signal, concurrency, batchFolder: batchFolder(ROOT) }),
  });
}

await runProgram(main);
