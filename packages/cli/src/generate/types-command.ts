import { generateModules } from '@windlass/codegen';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { definitionsInFiles } from './definition-files.ts';
import { definitionsInCluster } from './definitions-in-cluster.ts';
import { OutputFolder } from './output-folder.ts';
import { writeOrCheck } from './report.ts';

const TYPES_HELP = `windlass generate types: TypeScript from CustomResourceDefinitions

Usage: windlass generate types --from FILE|DIR... --output DIR [flags]
       windlass generate types --cluster [NAME...] --output DIR [flags]

Writes DIR/GROUP/VERSION/KIND.ts for every served version: its types, a constant for clients and
informers, and functions that give a client, an informer and a lister.

Flags:
  --from FILE|DIR    manifests in YAML or JSON; may be given again
  --cluster          read from the cluster; names of definitions, groups or kinds say which
  --kubeconfig FILE  with --cluster               (default $KUBECONFIG, ~/.kube/config)
  --context NAME     with --cluster               (default the current one)
  --output DIR       where the types go
  --check            write nothing; fail if DIR is not what it would be
  --types-only       no functions for clients, informers and listers
  --import-from PREFIX
                     where windlass is imported from (default windlass/)

Examples:
  windlass generate types --from crds/ --output src/api
  windlass generate types --cluster cert-manager.io --output src/api
  windlass generate types --from crds/ --output src/api --check
`;

const MARK = /^\/\/ Generated from the CustomResourceDefinition .*\. Do not edit\.\n/;

/** Types from definitions. */
async function generateTypes(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { values, positionals } = parse(args);
  const { from = [], output, cluster = false, kubeconfig, context, check = false } = values;
  if (output === undefined) throw new UsageError('--output DIR is missing: say where the types go');
  if (from.length > 0 === cluster)
    throw new UsageError('say where definitions come from: either --from FILE or --cluster');
  if (!cluster && positionals.length > 0)
    throw new UsageError(
      `"${positionals[0]}" stands alone; write --from before each file, names are for --cluster`,
    );
  const definitions = cluster
    ? await definitionsInCluster({ kubeconfig, context, names: positionals }, signal)
    : await definitionsInFiles(from);
  const modules = generateModules(definitions, {
    from: values['import-from'] ?? 'windlass/',
    accessors: values['types-only'] !== true,
  });
  for (const [at, { path }] of modules.entries())
    if (modules[at + 1]?.path === path)
      throw new UsageError(`two definitions would both be written to ${path}; leave one out`);
  return writeOrCheck(
    new OutputFolder(output, MARK),
    modules,
    { command: 'generate types', output, check },
    terminal,
  );
}

function parse(args: readonly string[]) {
  return parseFlags('windlass generate types --help', args, {
    allowPositionals: true,
    options: {
      from: { type: 'string', multiple: true },
      cluster: { type: 'boolean' },
      kubeconfig: { type: 'string' },
      context: { type: 'string' },
      output: { type: 'string' },
      check: { type: 'boolean' },
      'types-only': { type: 'boolean' },
      'import-from': { type: 'string' },
    },
  });
}

export const generateTypesCommand: Command = {
  name: 'types',
  summary: 'TypeScript from CustomResourceDefinitions',
  help: TYPES_HELP,
  run: generateTypes,
};
