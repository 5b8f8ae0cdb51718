import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reportProblems } from './write-options.ts';

const POD = { kind: 'Pod', version: 'v1' };

function warned(problems: readonly string[], mode: 'Warn' | 'Ignore' | 'Strict'): string[] {
  const warnings: string[] = [];
  reportProblems(problems, mode, POD, { warn: (text) => void warnings.push(text) });
  return warnings;
}

describe('problems of a body', () => {
  it('are a warning each', () => {
    assert.deepEqual(warned(['unknown field "a"', 'unknown field "b"'], 'Warn'), [
      'unknown field "a"',
      'unknown field "b"',
    ]);
  });

  it('are a warning for each line that YAML tells', () => {
    const yaml = 'yaml: unmarshal errors:\n  line 2: key "a" already set\n  line 3: key "b" already set';
    assert.deepEqual(warned([yaml], 'Warn'), ['line 2: key "a" already set', 'line 3: key "b" already set']);
  });

  it('are ignored, or an error, as the client wants', () => {
    assert.deepEqual(warned(['unknown field "a"'], 'Ignore'), []);
    assert.throws(() => warned(['unknown field "a"'], 'Strict'), /strict decoding error: unknown field "a"$/);
  });
});
