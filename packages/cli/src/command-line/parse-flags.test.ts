import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseFlags } from './parse-flags.ts';

const OPTIONS = {
  nodes: { type: 'string', short: 'n' },
  output: { type: 'string', short: 'o' },
  quiet: { type: 'boolean' },
} as const;

const rows: [args: string[], problem: string][] = [
  [
    ['--nodes', '--quiet'],
    '--nodes needs a value, and what follows it looks like another flag; write --nodes=VALUE if it is the value',
  ],
  [['--nodes'], '--nodes needs a value'],
  [['-n'], '--nodes needs a value'],
  [['--quiet=yes'], '--quiet takes no value'],
  [['--bogus'], 'there is no flag --bogus'],
  [['-1'], 'there is no flag -1'],
  [['--node', '3'], 'there is no flag --node; did you mean --nodes?'],
  [['--quiet', '-1'], 'there is no flag -1'],
  [['dev'], '"dev" is no flag, and only flags may stand here'],
];
for (const [args, problem] of rows)
  it(args.join(' '), () =>
    assert.throws(() => parseFlags('windlass help up', args, { options: OPTIONS }), {
      message: `${problem}${problem.endsWith('?') ? '' : ';'} windlass help up lists the flags`,
    }),
  );

it('a name without its flag', () =>
  assert.throws(() => parseFlags('help', ['dev'], { options: { name: { type: 'string' } } }), {
    message:
      '"dev" is no flag, and only flags may stand here; write --name dev if it is a name; help lists the flags',
  }));

it('a negative number is a value', () => {
  const { values, positionals } = parseFlags('help', ['--nodes', '-1', '--', '--nodes', '-2'], {
    options: OPTIONS,
    allowPositionals: true,
  });
  assert.deepEqual({ ...values }, { nodes: '-1' });
  assert.deepEqual(positionals, ['--nodes', '-2']);
});
