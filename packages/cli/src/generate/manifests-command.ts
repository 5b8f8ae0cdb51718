import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ACCESS_FOLDER, type Access, readAccessFiles } from '@windlass/codegen';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { MANIFEST_MARK, operatorManifests } from './operator-manifests.ts';
import { loadOperator } from './operator-module.ts';
import { OutputFolder } from './output-folder.ts';
import { operatorName, readProject } from './project.ts';
import { writeOrCheck } from './report.ts';
import { tryOnServer } from './try-on-server.ts';

const HELP = `windlass generate manifests: all that an operator needs in a cluster

Usage: windlass generate manifests [flags]

Imports the modules and writes into DIR: the definitions of their kinds, with conversion; the roles that
allow what the operator asked of the API in all of its tests, and what the runtime needs; a Service and the
configurations of their webhooks; and a kustomization of these and of the manifests that are there already.
Run the tests first: those that use recordAccess leave what the roles are derived from.

Flags:
  --from MODULE      exports kinds and webhooks; may be given again  (default src/operator.ts)
  --name NAME        of the operator and its account        (default that of package.json)
  --namespace NAME   where it runs                          (default its name)
  --access DIR       what the tests asked of the API        (default .windlass/access)
  --without-rbac     derive no roles; rbac.yaml is yours
  --webhook-url URL  ask webhooks there, in place of a Service: https://127.0.0.1:9443
  --output DIR       where the manifests go                 (default manifests)
  --check            write nothing; fail if DIR is not what it would be

Examples:
  windlass generate manifests
  windlass generate manifests --from src/resource.ts --from src/webhooks.ts --name web --check
`;

async function generateManifests(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse(args);
  const { from = ['src/operator.ts'], output = 'manifests', check = false } = values;
  const name = operatorName(values.name, await readProject());
  const { definitions, webhooks } = await loadOperator(from);
  await tryOnServer(definitions);
  const files = operatorManifests({
    name,
    namespace: values.namespace ?? name,
    definitions,
    webhooks,
    accesses: values['without-rbac'] === true ? undefined : accessesIn(values.access ?? ACCESS_FOLDER),
    webhookUrl: webhookUrl(values['webhook-url']),
    own: await ownManifests(output),
  });
  const folder = new OutputFolder(output, new RegExp(`^${MANIFEST_MARK}`));
  return writeOrCheck(folder, files, { command: 'generate manifests', output, check }, terminal);
}

function accessesIn(folder: string): readonly Access[] {
  const files = readAccessFiles(folder);
  if (files.length === 0)
    throw new UsageError(
      `${folder} does not say what the operator asks of the API; run its tests first, with recordAccess in them, or give --without-rbac`,
    );
  return files.flatMap(({ accesses }) => accesses);
}

function webhookUrl(given: string | undefined): string | undefined {
  if (given !== undefined && (!URL.canParse(given) || new URL(given).protocol !== 'https:'))
    throw new UsageError(`--webhook-url must begin with https://, but it is "${given}"`);
  return given;
}

/** Manifests in the folder that nobody generates. Examples are for people. */
async function ownManifests(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const own: string[] = [];
  for (const name of names) {
    if (!/\.ya?ml$/.test(name) || name.startsWith('example') || name.startsWith('kustomization')) continue;
    const text = await readFile(join(folder, name), 'utf8');
    if (!text.startsWith(MANIFEST_MARK)) own.push(name);
  }
  return own;
}

function parse(args: readonly string[]) {
  return parseFlags('windlass generate manifests --help', args, {
    options: {
      from: { type: 'string', multiple: true },
      name: { type: 'string' },
      namespace: { type: 'string' },
      access: { type: 'string' },
      'without-rbac': { type: 'boolean' },
      'webhook-url': { type: 'string' },
      output: { type: 'string' },
      check: { type: 'boolean' },
    },
  });
}

export const generateManifestsCommand: Command = {
  name: 'manifests',
  summary: 'all that an operator needs in a cluster',
  help: HELP,
  run: generateManifests,
};
