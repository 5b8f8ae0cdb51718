import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandOptionsOf, commandQuery, execOptions, portForwardOptions } from './connect-options.ts';
import { forwardedHeaders, returnedHeaders } from './forwarded-headers.ts';
import { containerOf } from './pod-container.ts';
import { logQuery } from './pod-log.ts';
import { isProxyable } from './proxies.ts';
import { schemeNamePort } from './scheme-name-port.ts';
import { isTunnelProtocol } from './tunnel-ports.ts';

describe('the name of what is proxied to', () => {
  for (const [text, found] of [
    ['web', { isTls: false, name: 'web', port: '' }],
    ['web:80', { isTls: false, name: 'web', port: '80' }],
    ['https:web:', { isTls: true, name: 'web', port: '' }],
    ['http:web:x', { isTls: false, name: 'web', port: 'x' }],
    ['ftp:web:1', undefined],
    ['a:b:c:d', undefined],
    [':80', undefined],
  ] as const)
    it(text, () => assert.deepEqual(schemeNamePort(text), found));
});

describe('an address that a proxy may lead to', () => {
  for (const [host, isAllowed] of [
    ['10.128.0.2', true],
    ['172.30.0.1', true],
    ['127.0.0.1', false],
    ['169.254.169.254', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['', false],
    ['fd00::1', true],
    ['::1', false],
    ['fe80::1', false],
    ['::ffff:127.0.0.1', false],
  ] as const)
    it(`${JSON.stringify(host)}: ${isAllowed}`, () => assert.equal(isProxyable(host), isAllowed));
});

describe('the headers that are handed on', () => {
  it('tell nothing of who asks, or of the connection', () => {
    const headers = {
      authorization: 'Bearer secret',
      'impersonate-user': 'x',
      'x-remote-user': 'x',
      connection: 'keep-alive, x-hop',
      'x-hop': '1',
      te: 'trailers',
      accept: 'text/html',
      'x-forwarded-for': '1.2.3.4',
    };
    assert.deepEqual(forwardedHeaders(headers, { host: 'h:1', isUpgrade: false, sourceAddress: '5.6.7.8' }), {
      accept: 'text/html',
      host: 'h:1',
      'x-forwarded-for': '1.2.3.4, 5.6.7.8',
    });
  });

  it('ask for another protocol where the client does', () => {
    const { connection, upgrade } = forwardedHeaders(
      { connection: 'Upgrade', upgrade: 'SPDY/3.1' },
      { host: 'h', isUpgrade: true },
    );
    assert.deepEqual({ connection, upgrade }, { connection: 'Upgrade', upgrade: 'SPDY/3.1' });
  });

  it('come back without those of the connection', () => {
    assert.deepEqual(returnedHeaders({ connection: 'close', 'transfer-encoding': 'chunked', etag: 'x' }), {
      etag: 'x',
    });
  });
});

describe('what a command is asked for with', () => {
  it('becomes the query that kubelets know', () => {
    const options = execOptions({
      command: ['echo', 'a b'],
      stdin: 'true',
      stdout: '1',
      tty: 'false',
      container: 'c',
    });
    assert.deepEqual(options, {
      kind: 'PodExecOptions',
      apiVersion: 'v1',
      stdin: true,
      stdout: true,
      container: 'c',
      command: ['echo', 'a b'],
    });
    assert.equal(commandQuery(commandOptionsOf(options)), 'command=echo&command=a+b&input=1&output=1');
  });

  it('names ports for port-forward', () => {
    assert.deepEqual(portForwardOptions({ ports: ['80,81', 'x'] })['ports'], [80, 81]);
  });
});

describe('the query for a log', () => {
  for (const [query, asked] of [
    [{}, ''],
    [{ follow: 'true', tailLines: '3' }, 'follow=true&tailLines=3'],
    [{ sinceTime: '2026-01-01T00:00:00Z' }, 'sinceTime=2026-01-01T00%3A00%3A00Z'],
  ] as const)
    it(JSON.stringify(query), () => assert.equal(logQuery(query, 'p'), asked));
  for (const query of [
    { sinceSeconds: '1', sinceTime: '2026-01-01T00:00:00Z' },
    { limitBytes: '0' },
    { sinceTime: 'x' },
  ])
    it(`refuses ${JSON.stringify(query)}`, () => {
      assert.throws(() => logQuery(query, 'p'));
    });
});

describe('the container that is meant', () => {
  const pod = (...names: string[]): Parameters<typeof containerOf>[0] => ({
    metadata: { name: 'p' },
    spec: { containers: names.map((name) => ({ name })), initContainers: [{ name: 'first' }] },
  });
  it('is the named one, or the only one', () => {
    assert.equal(containerOf(pod('a', 'b'), 'b'), 'b');
    assert.equal(containerOf(pod('a'), ''), 'a');
    assert.equal(containerOf(pod('a'), 'first'), 'first');
  });
  it('must be named among several', () => {
    assert.throws(
      () => containerOf(pod('a', 'b'), ''),
      /a container name must be specified for pod p, choose one of: \[first a b\]/,
    );
  });
});

describe('a subprotocol that carries SPDY', () => {
  it('has its prefix', () => {
    assert.equal(isTunnelProtocol('SPDY/3.1+portforward.k8s.io'), true);
    assert.equal(isTunnelProtocol('v4.channel.k8s.io'), false);
  });
});
