import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseTokenFile } from './token-file.ts';

describe('a token file', () => {
  for (const [what, text, tokens] of [
    ['a user', 'secret,ann,17\n', [{ token: 'secret', user: 'ann', uid: '17' }]],
    ['a user without a uid', 'secret,ann,', [{ token: 'secret', user: 'ann' }]],
    ['one group', 's,admin,,"system:masters"', [{ token: 's', user: 'admin', groups: ['system:masters'] }]],
    ['several groups', 's,ann,1,"a,b"\r\n', [{ token: 's', user: 'ann', uid: '1', groups: ['a', 'b'] }]],
    ['a quote in quotes', 's,"an""n",1', [{ token: 's', user: 'an"n', uid: '1' }]],
    ['no token', ',ann,1\n\nt,bob,2', [{ token: 't', user: 'bob', uid: '2' }]],
    ['nothing', '', []],
  ] as const)
    it(`with ${what}`, () => assert.deepEqual(parseTokenFile(text), tokens));

  it('with two columns is refused', () =>
    assert.throws(
      () => parseTokenFile('t,bob,2\nsecret,ann'),
      /line 2 of the token file.*at least 3 columns/,
    ));
});
