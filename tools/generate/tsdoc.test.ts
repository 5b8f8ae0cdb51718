import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tsdoc } from './tsdoc.ts';

const sentence = (length: number): string => `${'word '.repeat(length / 5).trim()}.`;

test('a comment says what the description says', () => {
  const rows: [what: string, description: string, comment: string][] = [
    ['nothing', '', ''],
    ['only spaces', ' \n ', ''],
    ['a sentence', 'What it is.', '/** What it is. */\n'],
    ['two paragraphs', 'One.\n\nTwo.', '/**\n * One.\n *\n * Two.\n */\n'],
    ['a line break', 'One:\n- a\n- b', '/**\n * One:\n * - a\n * - b\n */\n'],
    [
      'code',
      'For example:\n\n\ta {\n\t  "b": */\n\t}',
      '/**\n * For example:\n *\n * ```\n *   a {\n *     "b": *\\/\n *   }\n * ```\n */\n',
    ],
    ['the end of a comment', "'*/scale' and `*/*`", "/** '*\\/scale' and `*\\/*` */\n"],
    ['a tag', '@see {@link x}, u@v', '/** \\@see \\{\\@link x\\}, u\\@v */\n'],
    ['markup', 'a <b> and \\c', '/** a \\<b\\> and \\\\c */\n'],
    ['what is in backticks', 'use `{"a": <b>}` {}', '/** use `{"a": <b>}` \\{\\} */\n'],
    ['a backtick alone', 'it`s', '/** it\\`s */\n'],
  ];
  for (const [what, description, comment] of rows) assert.equal(tsdoc(description, ''), comment, what);
});

test('of the values of a string, those that mean more than their names are listed', () => {
  const description =
    'Policy.\n\nPossible enum values:\n - `"A"`\n - `"B"` is b. Deprecated: use C.\n - `"C"` is {c}';
  assert.equal(
    tsdoc(description, '  '),
    '  /**\n   * Policy.\n   *\n   * - `"B"`: is b. Deprecated: use C.\n   * - `"C"`: is \\{c\\}\n   */\n',
  );
});

test('what is deprecated has the tag, with the reason', () => {
  const rows: [description: string, comment: string][] = [
    ['Deprecated: use b.', '/** @deprecated use b. */\n'],
    ['DEPRECATED: use b.', '/** @deprecated use b. */\n'],
    ['Deprecated. Not set.', '/** @deprecated Not set. */\n'],
    ['It is a. Deprecated: use b.', '/**\n * It is a.\n *\n * @deprecated use b.\n */\n'],
    ['It is a.\nDeprecated: use b.', '/**\n * It is a.\n *\n * @deprecated use b.\n */\n'],
    ['Deprecated: use b.\n\nIt is a.', '/**\n * It is a.\n *\n * @deprecated use b.\n */\n'],
    ['A. This field is deprecated.', '/**\n * A.\n *\n * @deprecated This field is deprecated.\n */\n'],
    ['x is the deprecated field for y.', '/** @deprecated x is the deprecated field for y. */\n'],
    ['Retain, and Recycle (deprecated).', '/** Retain, and Recycle (deprecated). */\n'],
    ['deprecated indicates this API is deprecated.', '/** deprecated indicates this API is deprecated. */\n'],
  ];
  for (const [description, comment] of rows) assert.equal(tsdoc(description, ''), comment, description);
});

test('long descriptions end with a sentence and say that there is more', () => {
  const textOf = (comment: string): string => comment.replaceAll(/^\/\*\*|\n \*\/?| \*\/$/gm, '').trim();
  assert.equal(textOf(tsdoc(sentence(490), '')), sentence(490));
  assert.equal(textOf(tsdoc(`${sentence(300)} ${sentence(300)}`, '')), `${sentence(300)} …`);
  assert.equal(textOf(tsdoc(`${sentence(300)} i.e. ${sentence(300)}`, '')), `${sentence(300)} …`);
  assert.equal(textOf(tsdoc(`${sentence(300)}\n\n${sentence(300)}`, '')), `${sentence(300)} …`);
  assert.match(tsdoc(sentence(600), ''), /word …\n \*\/\n$/);
  assert.match(tsdoc('One.\n\n``` <a>\n\nTwo.', ''), /^\/\*\* One\. … \*\/\n$/);
  assert.match(tsdoc(`A:\n\n\tcode\n\n${sentence(600)}`, ''), /```\n \* …\n \*\/\n$/);
});

test('lines are no longer than ours, and none begins with what Markdown takes for an item', () => {
  for (let length = 80; length < 120; length++) {
    const comment = tsdoc(`${'x'.repeat(length)} - b`, '    ');
    assert.doesNotMatch(comment, /^ +\* -/m);
  }
  const lines = tsdoc(sentence(450), '    ').split('\n');
  assert.ok(lines.length > 5);
  for (const line of lines) assert.ok(line.length <= 110, line);
});
