import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parseArgs } from 'node:util';
import { parseFlags } from './parse-flags.ts';

const rows: [args: string[], problem: string][] = [
  [
    ['--nodes', '-1'],
    '--nodes needs a value, and what follows it looks like another flag; write --nodes=VALUE if it is the value',
  ],
  [['--nodes'], '--nodes needs a value'],
  [['--quiet=yes'], '--quiet takes no value'],
  [['--bogus'], "Unknown option '--bogus'"],
];
for (const [args, problem] of rows)
  it(args.join(' '), () =>
    assert.throws(
      () =>
        parseFlags('windlass help up', () =>
          parseArgs({
            args,
            options: { nodes: { type: 'string', short: 'n' }, quiet: { type: 'boolean' } },
            allowPositionals: true,
          }),
        ),
      { message: `${problem}; windlass help up lists the flags` },
    ),
  );
