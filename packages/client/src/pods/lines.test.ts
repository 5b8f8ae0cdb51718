import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf } from './lines.ts';

const CASES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['nothing', [], []],
  ['one line', ['a\n'], ['a']],
  ['a line in pieces', ['a', 'b', 'c\nd', '\n'], ['abc', 'd']],
  ['empty lines', ['\n\na\n'], ['', '', 'a']],
  ['a last line without a break', ['a\nb'], ['a', 'b']],
  ['carriage returns, which belong to the line', ['a\r\nb\r\n'], ['a\r', 'b\r']],
];

async function* bytesOf(pieces: Iterable<Uint8Array | string>): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece);
}

for (const [what, pieces, lines] of CASES)
  test(`lines of: ${what}`, async () => {
    assert.deepEqual(await Array.fromAsync(linesOf(bytesOf(pieces), 100)), lines);
  });

test('a character that is cut is put together again', async () => {
  const bytes = Buffer.from('ä€😀\n');
  const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
  assert.deepEqual(await Array.fromAsync(linesOf(bytesOf(single), 100)), ['ä€😀']);
});

test('a line without an end does not fill the memory', async () => {
  let sent = 0;
  const lines: string[] = [];
  async function* endless(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('a\n12345678\n');
    for (;;) {
      sent++;
      yield Buffer.from('xxx');
    }
  }
  const reading = (async () => {
    for await (const line of linesOf(endless(), 8)) lines.push(line);
  })();
  await assert.rejects(reading, {
    code: 'LOG_LINE_TOO_LONG',
    message: /more than 8 bytes; read it with .bytes\(\)/,
  });
  assert.deepEqual(lines, ['a', '12345678']);
  assert.equal(sent, 3);
});
