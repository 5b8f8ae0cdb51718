import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { realClock } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { parseLogLine } from './log-line.ts';
import { readLog } from './read-log.ts';
import { rotatedName, tooMany } from './rotation.ts';

const line = (text: string, tag = 'F', second = 0): string =>
  `2026-01-01T00:00:0${second}.123456789Z stdout ${tag} ${text}\n`;
const ALL = {
  follow: false,
  previous: false,
  timestamps: false,
  since: undefined,
  tailLines: undefined,
  limitBytes: undefined,
};

async function logFile(t: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'log-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, '0.log');
  await writeFile(path, text);
  return path;
}

async function read(path: string, options: Partial<typeof ALL> & object = {}): Promise<string> {
  const { signal } = new AbortController();
  const log = readLog({ path, isWritten: () => false }, { ...ALL, ...options }, realClock, signal);
  return Buffer.concat(await Array.fromAsync(log)).toString();
}

describe('a line of a log', () => {
  for (const [text, expected] of [
    ['T stdout F hello world', ['T', 'stdout', true, 'hello world']],
    ['T stderr P half', ['T', 'stderr', false, 'half']],
    ['T stdout F ', ['T', 'stdout', true, '']],
    ['T stdout F', ['T', 'stdout', true, '']],
    ['T stdout F:x tagged', ['T', 'stdout', true, 'tagged']],
    ['T nowhere F x', undefined],
    ['T stdout X x', undefined],
    ['nonsense', undefined],
    ['', undefined],
  ] as const)
    it(JSON.stringify(text), () => {
      const found = parseLogLine(Buffer.from(text));
      assert.deepEqual(found && [found.time, found.stream, found.isWhole, found.text.toString()], expected);
    });
});

describe('a log', () => {
  it('is what was printed, with parts of lines put together', async (t) => {
    const path = await logFile(t, line('one') + line('tw', 'P') + line('o') + 'damaged\n' + line('three'));
    assert.equal(await read(path), 'one\ntwo\nthree\n');
    assert.match(await read(path, { timestamps: true }), /^2026-01-01T00:00:00\.123456789Z one\n/);
  });

  for (const tailLines of [0, 1, 2, 3, 2000, 5000])
    it(`has an end of ${tailLines} lines`, async (t) => {
      // Longer than what is read at a time.
      const lines = Array.from({ length: 3000 }, (_, index) => `line ${index} ${'x'.repeat(100)}`);
      const path = await logFile(t, lines.map((each) => line(each)).join(''));
      const expected = tailLines === 0 ? [] : lines.slice(-tailLines);
      assert.equal(await read(path, { tailLines } as object), expected.map((each) => `${each}\n`).join(''));
    });

  it('begins at a time', async (t) => {
    const path = await logFile(t, line('old', 'F', 1) + line('new', 'F', 5));
    assert.equal(await read(path, { since: Date.UTC(2026, 0, 1, 0, 0, 3) } as object), 'new\n');
  });

  it('is followed into the next file, until its container has ended', async (t) => {
    const path = await logFile(t, line('one'));
    let isWritten = true;
    let seen = '';
    const { signal } = new AbortController();
    const following = (async () => {
      for await (const bytes of readLog(
        { path, isWritten: () => isWritten },
        { ...ALL, follow: true },
        realClock,
        signal,
      ))
        seen += bytes.toString();
    })();
    await until('the first line is seen', () => seen === 'one\n');
    await appendFile(path, line('two'));
    await rename(path, `${path}.old`);
    await appendFile(`${path}.old`, line('late'));
    await writeFile(path, line('three'));
    await until('the next file is seen', () => seen === 'one\ntwo\nlate\nthree\n');
    await appendFile(path, line('last'));
    isWritten = false;
    await following;
    assert.equal(seen, 'one\ntwo\nlate\nthree\nlast\n');
  });

  it('is not followed any longer than somebody reads', async (t) => {
    const path = await logFile(t, line('one'));
    const stop = new AbortController();
    const log = readLog({ path, isWritten: () => true }, { ...ALL, follow: true }, realClock, stop.signal);
    assert.equal((await log.next()).value?.toString(), 'one\n');
    stop.abort();
    assert.equal((await log.next()).done, true);
  });
});

it('logs that are put aside have names in the order of their times, and only the newest are kept', () => {
  assert.equal(rotatedName('/l/0.log', Date.UTC(2026, 0, 2, 3, 4, 5, 6)), '/l/0.log.20260102-030405');
  const names = ['0.log', ...[5, 1, 4, 2, 3].map((second) => rotatedName('0.log', second * 1000)), '1.log'];
  assert.deepEqual(tooMany(names, '0.log'), ['0.log.19700101-000001']);
  assert.deepEqual(tooMany(['0.log'], '0.log'), []);
});
