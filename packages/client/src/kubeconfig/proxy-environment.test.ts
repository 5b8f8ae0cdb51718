import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxyFromEnvironment } from './proxy-environment.ts';

test('which proxy, by scheme and case', () => {
  const env = { HTTPS_PROXY: 'http://secure:1', http_proxy: 'plain:2' };
  assert.equal(proxyFromEnvironment('https://api:6443', env), 'http://secure:1');
  assert.equal(proxyFromEnvironment('http://api', env), 'http://plain:2');
  assert.equal(proxyFromEnvironment('https://api', { http_proxy: 'plain:2' }), undefined);
  assert.equal(proxyFromEnvironment('https://api', { HTTPS_PROXY: '' }), undefined);
});

test('never for the loopback', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]']) {
    assert.equal(proxyFromEnvironment(`https://${host}:6443`, { HTTPS_PROXY: 'http://p' }), undefined, host);
  }
});

test('NO_PROXY', () => {
  const rows: readonly (readonly [noProxy: string, server: string, excluded: boolean])[] = [
    ['*', 'https://anything', true],
    ['example.com', 'https://example.com', true],
    ['example.com', 'https://api.Example.com', true],
    ['example.com', 'https://notexample.com', false],
    ['.example.com', 'https://example.com', false],
    ['.example.com', 'https://api.example.com', true],
    ['*.example.com', 'https://api.example.com', true],
    ['a, b ,example.com:6443', 'https://example.com:6443', true],
    ['example.com:6443', 'https://example.com', false],
    ['example.com:443', 'https://example.com', true],
    ['10.0.0.0/8', 'https://10.96.0.1:443', true],
    ['10.0.0.0/8', 'https://11.0.0.1', false],
    ['10.0.0.0/8', 'https://ten.example', false],
    ['10.0.0.0/99', 'https://10.0.0.1', false],
    ['10.0.0.1', 'https://10.0.0.1:6443', true],
    ['10.0.0.1', 'https://10.0.0.11', false],
    ['fd00::/8', 'https://[fd00::1]:6443', true],
    ['fd00::1', 'https://[fd00::1]:6443', true],
    ['', 'https://api', false],
  ];
  for (const [NO_PROXY, server, excluded] of rows) {
    const proxy = proxyFromEnvironment(server, { HTTPS_PROXY: 'http://p', NO_PROXY });
    assert.equal(proxy === undefined, excluded, `${NO_PROXY} ${server}`);
  }
});
