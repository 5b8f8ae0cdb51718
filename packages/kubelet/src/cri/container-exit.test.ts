import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exitOf } from './container-exit.ts';
import type { ContainerStatus } from './generated/cri.ts';

for (const [what, status, policy, words, expected] of [
  ['well', { exitCode: 0 }, 'File', {}, { exitCode: 0, reason: 'Completed' }],
  ['badly', { exitCode: 2 }, 'File', {}, { exitCode: 2, reason: 'Error' }],
  [
    'by the kernel',
    { exitCode: 137, reason: 'OOMKilled' },
    'File',
    {},
    { exitCode: 137, reason: 'OOMKilled' },
  ],
  [
    'with a message',
    { exitCode: 0 },
    'File',
    { message: 'm', log: 'l' },
    { exitCode: 0, reason: 'Completed', message: 'm' },
  ],
  [
    'with its log',
    { exitCode: 1 },
    'FallbackToLogsOnError',
    { log: 'l' },
    { exitCode: 1, reason: 'Error', message: 'l' },
  ],
  [
    'with both',
    { exitCode: 1 },
    'FallbackToLogsOnError',
    { message: 'm', log: 'l' },
    { exitCode: 1, reason: 'Error', message: 'm' },
  ],
  [
    'well, whatever its log',
    { exitCode: 0 },
    'FallbackToLogsOnError',
    { log: 'l' },
    { exitCode: 0, reason: 'Completed' },
  ],
  [
    'without a start',
    { exitCode: 128, reason: 'StartError', message: 'no program' },
    'File',
    {},
    { exitCode: 128, reason: 'StartError', message: 'no program' },
  ],
] as const)
  it(`a container that ended ${what}`, () => {
    // Only these fields are looked at.
    const full = { reason: '', message: '', finishedAt: 5_000_000, ...status } as ContainerStatus;
    const found = exitOf(
      full,
      { name: 'a', terminationMessagePolicy: policy },
      { message: '', log: '', ...words },
    );
    assert.deepEqual(found, { ...expected, finishedAt: 5 });
  });
