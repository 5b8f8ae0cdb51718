import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { yamlTokens } from './yaml-tokens.ts';

for (const [line, tokens] of [
  ['kind: Pod', 'key:kind mark:: string: Pod'],
  ['replicas: 3', 'key:replicas mark:: number: 3'],
  ['paused: false', 'key:paused mark:: word: false'],
  ['empty: {}', 'key:empty mark:: mark: {}'],
  ['  - name: web', 'mark:  -  key:name mark:: string: web'],
  ['example.com/a: "yes"', 'key:example.com/a mark:: string: "yes"'],
  ['"quoted key": 1', 'key:"quoted key" mark:: number: 1'],
  ['- plain', 'mark:-  string:plain'],
  ['image: nginx:1.27', 'key:image mark:: string: nginx:1.27'],
  ['spec:', 'key:spec mark::'],
  ['# said', 'comment:# said'],
] as const)
  test(line, () => {
    const [found = []] = yamlTokens(line);
    assert.equal(found.map(({ kind, text }) => `${kind}:${text}`).join(' '), tokens);
  });

test('what is in a block is text, however it looks, until the block ends', () => {
  const lines = yamlTokens('args: |\n  kind: no key\n\n  more\nafter: 1');
  assert.deepEqual(
    lines.map(([first]) => first?.kind),
    ['key', 'string', 'string', 'string', 'key'],
  );
});

test('no character is lost, whatever the text is', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'ab: -#"\'|>[]{}\n1.'.split('')) }), (text) => {
      const shown = yamlTokens(text).map((tokens) => tokens.map((token) => token.text).join(''));
      assert.equal(shown.join('\n'), text.replace(/\n$/, ''));
    }),
  );
});
