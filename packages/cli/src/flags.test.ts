// Every flag of every command with bad values: what is wrong is said in one sentence of ours, before anything is done.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Command } from './command-line/command.ts';
import { COMMANDS } from './commands.ts';
import { main } from './main.ts';
import { RecordingTerminal } from './testing/recording-terminal.ts';

interface NamedFlag {
  readonly flag: string;
  /** What stands for its value in the help; undefined for a switch. */
  readonly value: string | undefined;
}

/** What is no value of a kind, by the word that stands for it in the help. */
const BAD_VALUES: Readonly<Record<string, readonly string[]>> = {
  N: ['-1', 'abc', '', '0x10', ' '],
  PORT: ['-1', 'abc', '', '1.5', '65536'],
  SIZE: ['-1', 'abc', '', '10'],
  LEVEL: ['loud', ''],
  FORMAT: ['xml', ''],
  HOW: ['tape', ''],
  WHAT: ['docker', ''],
  B: ['yes', ''],
  TIME: ['abc', '', '-1s'],
  'K=V,…': ['abc'],
  'K=V,...': ['abc'],
  'K[=V]:EFFECT,...': ['abc'],
  'NAME=SIZE,...': ['abc'],
  VERSION: ['abc', ''],
  URL: ['nowhere', ''],
  TGZ: ['nowhere.tgz'],
  HASH: ['abc', ''],
  TOKEN: ['abc', ''],
  'IP,…': ['abc'],
};
/** Any text may be one, as far as the command line can tell. */
const FREE: ReadonlySet<string> = new Set(
  'ADDRESS COMMAND DIR DOMAIN FILE FILE|DIR HOST IDS KIND LIST MODULE NAME NAMES PREFIX PROGRAM S SOCKET STATUS TEXT'.split(
    ' ',
  ),
);

/** What a command asks for before it looks at anything else. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  new: ['backup-operator'],
  'node join': ['192.0.2.7:7443', '--token', 'abcdef.0123456789abcdef'],
  'directpv node': ['--kube-node-name', 'node-1'],
  'directpv label drives': ['tier=hot'],
  'directpv label volumes': ['tier=hot'],
  'directpv install': ['--output', 'json'],
};

function commandsBelow(commands: readonly Command[], path: readonly string[]): [string[], Command][] {
  return commands.flatMap((command) => {
    const here = [...path, command.name];
    return command.subcommands === undefined
      ? [[here, command] satisfies [string[], Command]]
      : commandsBelow(command.subcommands, here);
  });
}

function flagsIn({ help }: Command): NamedFlag[] {
  const [, section = ''] = /^Flags:\n((?: .*\n)+)/m.exec(help) ?? [];
  // A line that ends with a comma goes on.
  const heads = section
    .replaceAll(/,\n +/g, ', ')
    .split('\n')
    .filter((line) => /^ {2}-/.test(line))
    .map((line) => line.trim().split(/ {2,}/)[0] ?? '');
  return heads.flatMap((head) => {
    const parts = head.split(', ').filter((part) => part.startsWith('--'));
    // Flags that share a line share what stands for the value.
    const [, shared] = (parts.at(-1) ?? '').split(' ');
    return parts.map((part) => {
      const [flag = '', value = shared] = part.split(' ');
      return { flag, value };
    });
  });
}

/** What Node's parser, or JavaScript, would say. */
const NOT_OURS = /Unknown option|Option '|ambiguous|To specify|NaN|undefined|\bat .*:\d+:\d+/;

async function refusal(args: readonly string[]): Promise<string> {
  const terminal = new RecordingTerminal();
  // Whatever would start is told to stop at once.
  const code = await main(args, terminal, AbortSignal.abort());
  assert.equal(code, 2, `${args.join(' ')}: ${terminal.output}${terminal.errors}`);
  assert.match(terminal.errors, /^windlass: [^\n]+\n$/, 'one sentence');
  assert.doesNotMatch(terminal.errors, NOT_OURS);
  return terminal.errors;
}

describe('every flag of every command', () => {
  const kubeconfig = process.env['KUBECONFIG'];
  before(() => {
    process.env['KUBECONFIG'] = '/nowhere/config';
  });
  after(() => {
    if (kubeconfig === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = kubeconfig;
  });

  const all = commandsBelow(COMMANDS, []).filter(([, { help }]) => help.includes('\nFlags:\n'));
  it('is found in the help', () => {
    const flags = new Map(all.map(([path, command]) => [path.join(' '), flagsIn(command)]));
    assert.ok(flags.size > 20);
    assert.deepEqual(
      flags.get('up')?.find(({ flag }) => flag === '--nodes'),
      { flag: '--nodes', value: 'N' },
    );
    assert.ok(flags.get('controller-manager')?.some(({ flag }) => flag === '--secondary-node-eviction-rate'));
  });

  for (const [words, command] of all)
    describe(words.join(' '), () => {
      const path = [...words, ...(NEEDED[words.join(' ')] ?? [])];
      it('a flag that there is not', async () => {
        assert.match(await refusal([...path, '--no-such-thing']), /--no-such-thing/);
      });
      for (const { flag, value } of flagsIn(command))
        it(value === undefined ? flag : `${flag} ${value}`, async () => {
          if (value === undefined) {
            assert.match(await refusal([...path, `${flag}=perhaps`]), /takes no value|must be true or false/);
            return;
          }
          assert.match(await refusal([...path, flag]), new RegExp(`${flag} needs a value`));
          const bad = BAD_VALUES[value];
          if (bad === undefined)
            assert.ok(FREE.has(value), `say above what is no ${value}, or that everything is one`);
          for (const text of bad ?? [])
            for (const form of [[`${flag}=${text}`], ...(text.startsWith('-') ? [[flag, text]] : [])]) {
              const said = await refusal([...path, ...form]);
              // What may be a secret is not repeated.
              if (value === 'TOKEN') assert.ok(said.includes(flag) && !said.includes('abc '), said);
              else
                assert.ok(
                  said.includes(flag) && (said.includes(`"${text}"`) || said.includes('empty')),
                  said,
                );
            }
        });
    });
});
