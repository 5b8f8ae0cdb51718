import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { credentialsFor } from './image-credentials.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const secret = (auths: object) => ({ data: { '.dockerconfigjson': base64(JSON.stringify({ auths })) } });
const me = { auth: base64('me:pass:word') };

describe('the credentials for an image', () => {
  for (const [server, image, isFound] of [
    ['r.example', 'r.example/a:1', true],
    ['https://r.example', 'r.example/a:1', true],
    ['r.example/team', 'r.example/team/a:1', true],
    ['r.example/team', 'r.example/teams/a:1', false],
    ['*.example', 'r.example/a:1', true],
    ['*.example', 'a.r.example/a:1', false],
    ['r.example:5000', 'r.example/a:1', false],
    ['https://index.docker.io/v1/', 'nginx', true],
    ['docker.io', 'library/nginx', true],
    ['evil.example', 'r.example/a:1', false],
  ] as const)
    it(`of ${server} are ${isFound ? '' : 'not '}for ${image}`, () => {
      const found = credentialsFor(image, [secret({ [server]: me })]);
      assert.deepEqual(
        found.map(({ username, password }) => [username, password]),
        isFound ? [['me', 'pass:word']] : [],
      );
    });

  it('come from the address that fits best, and from old secrets too', () => {
    const two = secret({
      'r.example': { username: 'all', password: '1' },
      'r.example/team': { username: 'team', password: '2' },
    });
    const old = {
      data: { '.dockercfg': base64(JSON.stringify({ 'r.example': { username: 'old', password: '3' } })) },
    };
    const found = credentialsFor('r.example/team/a', [two, old]);
    assert.deepEqual(
      found.map(({ username }) => username),
      ['team', 'all', 'old'],
    );
  });

  it('of a secret that cannot be read are none', () => {
    for (const text of [
      '',
      'null',
      '{',
      '{"auths":[]}',
      '{"auths":{"r.example":3}}',
      '{"auths":{"r.example":{"auth":7}}}',
    ])
      assert.deepEqual(credentialsFor('r.example/a', [{ data: { '.dockerconfigjson': base64(text) } }]), []);
    assert.deepEqual(credentialsFor('r.example/a', [{}]), []);
  });
});
