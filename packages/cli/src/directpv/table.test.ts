import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatBytes } from '../command-line/format-bytes.ts';
import { renderTable } from './table.ts';

describe('tables', () => {
  it('stand in a box of light lines', () =>
    assert.equal(
      renderTable(
        ['NODE', 'N'],
        [
          ['größer', '1'],
          ['', '10'],
        ],
      ),
      `┌────────┬────┐
│ NODE   │ N  │
├────────┼────┤
│ größer │ 1  │
│ -      │ 10 │
└────────┴────┘
`,
    ));

  it('are plain columns without names, each a word, for scripts', () =>
    assert.equal(
      renderTable(
        ['NODE', 'N', 'MAKE'],
        [
          ['a', '1.5 GiB', 'ACME Disk'],
          ['long', '', 'x'],
        ],
        { headers: false },
      ),
      'a     1.5GiB  ACME_Disk\nlong  -       x\n',
    ));

  for (const [bytes, text] of [
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [1536, '1.5 KiB'],
    [9.97 * 1024, '10 KiB'],
    [512 * 2 ** 20, '512 MiB'],
    [10 * 2 ** 30, '10 GiB'],
    [1.2 * 2 ** 40, '1.2 TiB'],
    [2 ** 53, '8.0 PiB'],
  ] as const)
    it(`say ${bytes} bytes as ${text}`, () => assert.equal(formatBytes(bytes), text));
});
