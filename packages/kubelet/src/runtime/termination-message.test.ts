import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Container } from '@windlass/apimachinery/api/core/v1';
import { terminationMessage } from './termination-message.ts';

const ended = (script: string, exitCode: number, more: Partial<Container> = {}, ranMs = 0): string =>
  terminationMessage({
    container: { name: 'main', command: ['/bin/sh', '-c'], args: [script], ...more },
    hostname: 'web',
    ranMs,
    exitCode,
  });
const FALLBACK = { terminationMessagePolicy: 'FallbackToLogsOnError' as const };

describe('what a container leaves', () => {
  const rows: [script: string, exitCode: number, more: Partial<Container>, expected: string][] = [
    ['echo -n DONE > /dev/termination-log', 0, {}, 'DONE'],
    ['echo one > /dev/termination-log; echo two >> /dev/termination-log', 1, {}, 'one\ntwo\n'],
    ['echo DONE > /tmp/end', 0, { terminationMessagePath: '/tmp/end' }, 'DONE\n'],
    ['echo $WHY > /dev/termination-log', 1, { env: [{ name: 'WHY', value: 'no disk' }] }, 'no disk\n'],
    ['echo DONE > /tmp/other', 0, {}, ''],
    ['echo DONE', 1, {}, ''],
    ['echo -n DONE; false', 1, FALLBACK, 'DONE'],
    ['echo DONE', 0, FALLBACK, ''],
    ['echo OK > /dev/termination-log; echo DONE; exit 1', 1, FALLBACK, 'OK\n'],
  ];
  for (const [script, exitCode, more, expected] of rows)
    it(`${script}, ${exitCode}, ${JSON.stringify(more)}`, () =>
      assert.equal(ended(script, exitCode, more), expected));

  it('is what it has printed until then, and not more than is kept', () => {
    const forEver = 'while true; do echo tick; sleep 1; done';
    assert.equal(ended(forEver, 137, FALLBACK, 2500), 'tick\ntick\ntick\n');
    assert.equal(ended(forEver, 137, FALLBACK, 1_000_000), 'tick\n'.repeat(80));
    const long = `echo ${'x'.repeat(9000)}`;
    assert.equal(ended(`${long}; exit 1`, 1, FALLBACK).length, 2048);
    assert.equal(ended(`${long} > /dev/termination-log`, 0).length, 4096);
  });

  it('is nothing of a program that nobody knows', () => {
    assert.equal(ended('nginx > /dev/termination-log', 0), '');
    assert.equal(
      terminationMessage({ container: { name: 'main' }, hostname: 'h', ranMs: 0, exitCode: 1 }),
      '',
    );
  });
});
