import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assert as check, nat, property } from 'fast-check';
import { expandEllipses, expandNames } from './ellipsis.ts';

describe('ellipses', () => {
  const rows: readonly (readonly [pattern: string, names: string])[] = [
    ['sda', 'sda'],
    ['node-{1...3}', 'node-1 node-2 node-3'],
    ['node-{3...1}', 'node-1 node-2 node-3'],
    ['{08...11}', '08 09 10 11'],
    ['{9...11}', '9 10 11'],
    ['sd{a...c}', 'sda sdb sdc'],
    ['sd{y...ab}', 'sdy sdz sdaa sdab'],
    ['sd{az...bc}', 'sdaz sdba sdbb sdbc'],
    ['sd{bc...az}', 'sdaz sdba sdbb sdbc'],
    ['R{A...B}', 'RA RB'],
    ['n{1...2}d{a...b}x', 'n1dax n1dbx n2dax n2dbx'],
  ];
  for (const [pattern, names] of rows)
    it(`${pattern} is ${names}`, () => assert.equal(expandEllipses(pattern).join(' '), names));

  for (const wrong of ['{1..3}', '{1...c}', '{...3}', '{a...B}', 'a}{1...2}', '{1...2', 'a...b', '{1...2}}'])
    it(`refuses ${wrong}`, () =>
      assert.throws(() => expandEllipses(wrong), {
        code: 'INVALID_REQUEST',
        message: /is no name and no pattern; a range is written \{1\.\.\.4\}/,
      }));

  for (const wide of ['{1...1000000000}', '{1...200}{1...200}', '{a...zzzzzz}'])
    it(`refuses ${wide}, which is too much`, () =>
      assert.throws(() => expandEllipses(wide), /more than 10000 names/));

  it('takes lists and leaves doubles out', () =>
    assert.deepEqual(expandNames(['n{1...2}, n2', '', 'n0']), ['n1', 'n2', 'n0']));

  it('gives every number of a range once, in order', () => {
    check(
      property(nat(5000), nat(4000), (low, count) => {
        const names = expandEllipses(`{${low}...${low + count}}`);
        assert.deepEqual(
          names.map(Number),
          Array.from({ length: count + 1 }, (_, at) => low + at),
        );
      }),
    );
  });
});
