import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Query } from '../request/query-values.ts';
import {
  attachOptions,
  commandOptionsOf,
  commandQuery,
  execOptions,
  portForwardOptions,
  proxyOptions,
} from './connect-options.ts';

describe('the object that admission sees', () => {
  const rows: readonly [string, (query: Query) => object, Query, object][] = [
    ['exec', execOptions, {}, { kind: 'PodExecOptions', apiVersion: 'v1', command: [] }],
    [
      'exec, whole',
      execOptions,
      { command: ['ls', '-l'], stdin: 'true', stdout: '1', stderr: 'false', tty: 'true', container: 'a' },
      {
        kind: 'PodExecOptions',
        apiVersion: 'v1',
        stdin: true,
        stdout: true,
        tty: true,
        container: 'a',
        command: ['ls', '-l'],
      },
    ],
    [
      'exec of one word',
      execOptions,
      { command: 'ls' },
      { kind: 'PodExecOptions', apiVersion: 'v1', command: ['ls'] },
    ],
    [
      'attach',
      attachOptions,
      { stderr: 'true', command: 'ls' },
      { kind: 'PodAttachOptions', apiVersion: 'v1', stderr: true },
    ],
    ['port-forward', portForwardOptions, {}, { kind: 'PodPortForwardOptions', apiVersion: 'v1' }],
    [
      'port-forward of some',
      portForwardOptions,
      { ports: ['80,443', '8080', 'x'] },
      { kind: 'PodPortForwardOptions', apiVersion: 'v1', ports: [80, 443, 8080] },
    ],
    [
      'proxy',
      (query) => proxyOptions('PodProxyOptions')(query, ''),
      {},
      { kind: 'PodProxyOptions', apiVersion: 'v1' },
    ],
    [
      'proxy with a path',
      (query) => proxyOptions('NodeProxyOptions')(query, 'metrics'),
      { path: 'ignored' },
      { kind: 'NodeProxyOptions', apiVersion: 'v1', path: 'metrics' },
    ],
  ];
  for (const [name, make, query, expected] of rows) test(name, () => assert.deepEqual(make(query), expected));
});

describe('what admission has left', () => {
  test('is what a kubelet is asked for, under its own names', () => {
    const options = commandOptionsOf({
      stdin: true,
      stdout: true,
      stderr: true,
      tty: true,
      command: ['a b', 'c'],
    });
    assert.equal(commandQuery(options), 'command=a+b&command=c&input=1&output=1&error=1&tty=1');
  });

  test('is nothing where there is nothing, or something else than it should be', () => {
    const none = { stdin: false, stdout: false, stderr: false, tty: false, container: '', command: [] };
    assert.deepEqual(commandOptionsOf(undefined), none);
    assert.deepEqual(commandOptionsOf({ stdin: 'true', container: 1, command: 'ls' }), none);
    assert.equal(commandQuery(none), '');
  });
});
