import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { judge } from './access.ts';

const bearer = { authorization: 'Bearer right' };
const host = '127.0.0.1:8080';

function verdict(headers: Record<string, string>, path = '/', method = 'GET', token?: string) {
  const request = { method, headers } as unknown as IncomingMessage; // no more of it is read
  return judge(request, new URL(path, 'http://localhost'), { token, port: () => 8080 });
}

for (const [what, headers, path, method, status] of [
  ['the token', { host, ...bearer }, '/', 'GET', 200],
  ['no token', { host }, '/', 'GET', 401],
  ['a token that is longer', { host, authorization: 'Bearer right ' }, '/', 'GET', 401],
  ['the token in the address', { host }, '/?token=right', 'GET', 200],
  ['a wrong one in the address', { host }, '/?token=wrong', 'GET', 401],
  ['its cookie', { host, cookie: 'a=b; windlass-console-8080=right' }, '/', 'GET', 200],
  ['the cookie of another console', { host, cookie: 'windlass-console-8081=right' }, '/', 'GET', 401],
  ['no host', bearer, '/', 'GET', 403],
  ['a foreign host', { host: 'evil.example:8080', ...bearer }, '/', 'GET', 403],
  ['a host that begins as ours', { host: '127.0.0.1.evil.example', ...bearer }, '/', 'GET', 403],
  ['the other names of loopback', { host: '[::1]:8080', ...bearer }, '/', 'GET', 200],
  ['its own origin', { host, origin: `http://${host}`, ...bearer }, '/', 'POST', 200],
  ['a foreign origin', { host, origin: 'http://evil.example', ...bearer }, '/', 'POST', 403],
  ['a foreign origin that only reads', { host, origin: 'http://evil.example', ...bearer }, '/', 'GET', 403],
  ['another port', { host, origin: 'http://127.0.0.1:1', ...bearer }, '/', 'POST', 403],
  ['another name of the same place', { host, origin: 'http://localhost:8080', ...bearer }, '/', 'POST', 403],
  ['a page from a file', { host, origin: 'null', ...bearer }, '/', 'POST', 403],
  ['a form of another site', { host, 'sec-fetch-site': 'cross-site', ...bearer }, '/', 'POST', 403],
  ['a link on another site', { host, 'sec-fetch-site': 'cross-site', ...bearer }, '/', 'GET', 200],
  ['a page of its own', { host, 'sec-fetch-site': 'same-origin', ...bearer }, '/', 'POST', 200],
] as const)
  test(`${method} with ${what}: ${status}`, () => {
    const judged = verdict(headers, path, method, 'right');
    assert.equal(judged.allow ? 200 : judged.status, status);
  });

test('a console without a token still looks at hosts and origins', () => {
  const open = (headers: Record<string, string>): boolean => verdict(headers).allow;
  assert.deepEqual(
    [open({ host }), open({ host: 'evil.example' }), open({ host, origin: 'http://evil.example' })],
    [true, false, false],
  );
});
