import { copyFile, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@windlass/base';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { projectFiles } from './project-files.ts';
import { projectNames } from './project-names.ts';
import { VENDOR } from './template/package-files.ts';
import { checkTarball, installedFrom } from './windlass-tarball.ts';

const HELP = `windlass new: an operator, ready to run and to test

Usage: windlass new NAME [flags]

Makes the folder NAME with a resource, a reconciler, its test, and manifests with roles that allow what
the reconciler does and no more.

Flags:
  --kind KIND     what the resource is called  (default from NAME: backup-operator is about Backup)
  --group DOMAIN  the API group                (default example.com)
  --output DIR    where the project goes       (default NAME)
  --windlass TGZ  the tarball of Windlass that the project takes, which goes to its folder vendor
                  (default the one that this command was installed from, else the published package)

Examples:
  windlass new backup-operator
  windlass new web --kind WebSite --group web.example.com
  npx ./windlass-0.1.0.tgz new backup-operator            # from a tarball
  npm --prefix ../windlass run new -- backup-operator     # from a clone beside this folder
`;

/** A new project in a folder that is not there yet, or empty. */
async function newProject(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(args);
  const [name, ...more] = positionals;
  if (name === undefined) throw new UsageError('NAME is missing: windlass new backup-operator');
  if (more.length > 0) throw new UsageError(`one NAME is enough, but there is also "${more[0]}"`);
  const names = projectNames({ name, group: values.group, kind: values.kind });
  const folder = values.output ?? name;
  const tarball =
    values.windlass === undefined
      ? await installedFrom(fileURLToPath(import.meta.url))
      : await checkTarball(values.windlass);
  await requireEmpty(folder);
  for (const { path, text } of projectFiles(names, tarball && basename(tarball))) {
    await makeDirectory(dirname(join(folder, path)));
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  if (tarball !== undefined) {
    await makeDirectory(join(folder, VENDOR));
    await copyFile(tarball, join(folder, VENDOR, basename(tarball)));
  }
  terminal.out(`${folder} is made: ${names.kind} in ${names.group}, with a reconciler and its test.

  cd ${folder}
  npm install
  npm test

Then change src/resource.ts and src/reconciler.ts; README.md says how to run it.
`);
  return EXIT_OK;
}

async function requireEmpty(folder: string): Promise<void> {
  const there = await readdir(folder).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return [];
    if (code === 'ENOTDIR') return ['a file'];
    throw error;
  });
  if (there.length > 0)
    throw new UsageError(`${folder} is there already and not empty; choose another NAME, or --output`);
}

function parse(args: readonly string[]) {
  return parseFlags('windlass new --help', args, {
    allowPositionals: true,
    options: {
      kind: { type: 'string' },
      group: { type: 'string' },
      output: { type: 'string' },
      windlass: { type: 'string' },
    },
  });
}

export const newCommand: Command = {
  name: 'new',
  summary: 'an operator, ready to run and to test',
  help: HELP,
  run: newProject,
};
