import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { flagsOf } from './command-line/command.ts';
import { COMMANDS } from './commands.ts';
import { main } from './main.ts';
import { RecordingTerminal } from './testing/recording-terminal.ts';

const never = new AbortController().signal;

async function script(shell: string): Promise<string> {
  const terminal = new RecordingTerminal();
  assert.equal(await main(['completion', shell], terminal, never), 0);
  return terminal.output;
}

/** What bash would offer for the words, the last of which is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const program = `${await script('bash')}
COMP_WORDS=(windlass "$@"); COMP_CWORD=$#; _windlass; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', program, 'bash', ...words], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

describe('windlass completion', () => {
  it('offers commands, their subcommands and their flags in bash', async () => {
    assert.deepEqual(await offered('sc'), ['scheduler']);
    assert.deepEqual(await offered('generate', 't'), ['types']);
    assert.deepEqual(await offered('up', '--nod'), ['--nodes']);
    assert.deepEqual(await offered('generate', 'types', '--imp'), ['--import-from']);
    assert.deepEqual(await offered('new', 'x', '--k'), ['']);
  });

  it('has a script for each shell that it names, with every command', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const text = await script(shell);
      for (const { name } of COMMANDS) assert.ok(text.includes(name), `${shell}: ${name}`);
    }
  });

  it('refuses a shell that it does not know', async () => {
    const terminal = new RecordingTerminal();
    assert.equal(await main(['completion', 'tcsh'], terminal, never), 2);
    assert.match(terminal.errors, /name one shell: bash, zsh, fish/);
  });
});

describe('the help of every command', () => {
  const all = COMMANDS.flatMap((command) => [command, ...(command.subcommands ?? [])]);
  for (const command of all)
    it(`of ${command.name} has a summary, a usage and examples`, () => {
      assert.match(command.help, new RegExp(`^windlass [a-z ]*${command.name}: `));
      assert.match(command.help, /^Usage: windlass /m);
      if (command.subcommands === undefined) assert.match(command.help, /^Examples:$/m);
      for (const line of command.help.split('\n')) assert.ok(line.length <= 110, line);
    });

  it('names flags that are there: a wrong one is refused, the named ones are not', async () => {
    const up = COMMANDS.find(({ name }) => name === 'up');
    assert.ok(up !== undefined && flagsOf(up).includes('--audit-level'));
    const terminal = new RecordingTerminal();
    assert.equal(await main(['help', 'up'], terminal, never), 0);
    assert.match(terminal.output, /--nodes N/);
  });
});
