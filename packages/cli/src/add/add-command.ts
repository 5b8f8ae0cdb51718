import { access, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeDirectory } from '@windlass/base';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { ADDITIONS, additionOf } from './additions.ts';
import { OPERATOR_FILE } from './operator-file.ts';

const HELP = `windlass add: a kind, a webhook or a controller for an operator

Usage: windlass add kind KIND [flags]
       windlass add webhook KIND
       windlass add controller KIND

In the folder of a project that windlass new has made. Each writes new files with a test, and lines into
src/operator.ts. What is there already is never overwritten.

  kind        a custom resource
  webhook     what is checked and completed before a KIND is stored: one of the operator's, or of Kubernetes'
  controller  what is done for each KIND of the operator

Flags:
  --group DOMAIN  the API group of a new kind  (default example.com)
  --project DIR   the project                  (default this folder)

Examples:
  windlass add kind Page --group web.example.com
  windlass add controller Page
  windlass add webhook Page
  windlass add webhook Pod
`;

async function add(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args);
  const [what, kind, ...more] = positionals;
  const found = ADDITIONS.find((name) => name === what);
  if (found === undefined)
    throw new UsageError(
      what === undefined
        ? 'say what to add: windlass add kind Page, windlass add webhook Page, or windlass add controller Page'
        : `there is no "windlass add ${what}"; there are ${ADDITIONS.join(', ')}`,
    );
  if (kind === undefined) throw new UsageError(`KIND is missing: windlass add ${found} Page`);
  if (more.length > 0) throw new UsageError(`one KIND is enough, but there is also "${more[0]}"`);
  if (values.group !== undefined && found !== 'kind')
    throw new UsageError(`--group is for windlass add kind; a ${found} has the group of its kind`);
  const folder = values.project ?? '.';
  const operator = await operatorIn(folder);
  const addition = additionOf(found, kind, { operator, group: values.group });
  for (const { path } of addition.files) await requireFree(folder, path);
  for (const { path, text } of addition.files) {
    await makeDirectory(dirname(join(folder, path)));
    await writeFile(join(folder, path), text, { flag: 'wx' });
    terminal.out(`wrote ${path}\n`);
  }
  await writeFile(join(folder, OPERATOR_FILE), addition.operator);
  terminal.out(`changed ${OPERATOR_FILE}\n\nNext: ${addition.next}\n`);
  return EXIT_OK;
}

async function operatorIn(folder: string): Promise<string> {
  return readFile(join(folder, OPERATOR_FILE), 'utf8').catch(() => {
    throw new UsageError(
      `there is no project of windlass new here: ${join(folder, OPERATOR_FILE)} cannot be read; go to its folder, or make one with windlass new NAME`,
    );
  });
}

async function requireFree(folder: string, path: string): Promise<void> {
  const isThere = await access(join(folder, path)).then(
    () => true,
    () => false,
  );
  if (isThere) throw new UsageError(`${path} is there already, and is not overwritten; move it away first`);
}

function parse(args: readonly string[]) {
  return parseFlags('windlass add --help', args, {
    allowPositionals: true,
    options: { group: { type: 'string' }, project: { type: 'string' } },
  });
}

interface Subcommand {
  readonly summary: string;
  readonly about: string;
  readonly flags: string;
  readonly examples: readonly string[];
}

const PROJECT_FLAG = '  --project DIR   the project                  (default this folder)';

const SUBCOMMANDS: Readonly<Record<(typeof ADDITIONS)[number], Subcommand>> = {
  kind: {
    summary: 'a custom resource',
    about: 'Writes src/KIND/resource.ts and an example, and lists the kind in src/operator.ts.',
    flags: `  --group DOMAIN  the API group                (default example.com)\n${PROJECT_FLAG}`,
    examples: ['windlass add kind Page', 'windlass add kind Page --group web.example.com'],
  },
  webhook: {
    summary: 'what is checked and completed before an object is stored',
    about: `Writes webhooks.ts and its test beside the kind, and lists the webhooks in src/operator.ts. KIND is one of the
operator's, or of Kubernetes'.`,
    flags: PROJECT_FLAG,
    examples: ['windlass add webhook Page', 'windlass add webhook Pod'],
  },
  controller: {
    summary: 'what is done for each object of a kind',
    about: 'Writes reconciler.ts and its test beside the kind, and registers it in src/operator.ts.',
    flags: PROJECT_FLAG,
    examples: ['windlass add controller Page'],
  },
};

function subcommand(name: (typeof ADDITIONS)[number]): Command {
  const { summary, about, flags, examples } = SUBCOMMANDS[name];
  const help = `windlass add ${name}: ${summary}

Usage: windlass add ${name} KIND [flags]

${about}
What is there already is never overwritten.

Flags:
${flags}

Examples:
${examples.map((example) => `  ${example}\n`).join('')}`;
  return { name, summary, help, run: (args, terminal) => add([name, ...args], terminal) };
}

export const addCommand: Command = {
  name: 'add',
  summary: 'a kind, a webhook or a controller for an operator',
  help: HELP,
  subcommands: ADDITIONS.map(subcommand),
  run: add,
};
