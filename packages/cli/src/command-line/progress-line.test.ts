import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { ProgressLine } from './progress-line.ts';

const CLEAR_LINE = '\r\u001b[2K';

/** What a terminal shows: lines, of which the last may be written over. */
function screen(text: string): string[] {
  const lines = [''];
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) lines.push('');
    for (const [turn, part] of line.split(CLEAR_LINE).entries())
      lines[index] = turn === 0 ? `${lines[index]}${part}` : part;
  }
  return lines;
}

describe('a progress line', () => {
  it('steps aside for lines of the log, and comes back below them', () => {
    const terminal = new RecordingTerminal({ isTty: true });
    const progress = new ProgressLine(terminal, true);
    progress.err('WARN before\n');
    progress.show('opening the store…');
    progress.err('WARN one\n');
    progress.err('ERROR two\n    at a\n');
    assert.deepEqual(screen(terminal.errors), [
      'WARN before',
      'WARN one',
      'ERROR two',
      '    at a',
      'opening the store…',
    ]);
    progress.show('listening…');
    assert.equal(screen(terminal.errors).at(-1), 'listening…');
    progress.out('Windlass is ready.\n');
    progress.err('WARN after\n');
    assert.deepEqual(screen(terminal.errors).slice(-2), ['WARN after', '']);
    assert.equal(terminal.output, 'Windlass is ready.\n');
  });

  for (const [what, isTty, isWanted] of [
    ['not where stderr is no terminal', false, true],
    ['not where the output is for scripts', true, false],
  ] as const)
    it(`is shown on a terminal only: ${what}`, () => {
      const terminal = new RecordingTerminal({ isTty });
      const progress = new ProgressLine(terminal, isWanted);
      progress.show('opening the store…');
      progress.err('WARN one\n');
      progress.end();
      assert.equal(terminal.errors, 'WARN one\n');
    });
});
