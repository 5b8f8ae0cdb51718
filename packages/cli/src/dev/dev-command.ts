import { access } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import { DevLoop } from './dev-loop.ts';

const DEFAULT_ENTRY = 'src/main.ts';
const DEFAULT_OPERATOR = 'src/operator.ts';
const DEFAULT_CRDS = 'manifests/crds';

export const devCommand: Command = {
  name: 'dev',
  summary: 'run an operator on a cluster of its own, again at each change',
  help: `windlass dev: the inner loop of an operator author

Usage: windlass dev [flags] [MODULE] [-- ARGUMENTS]

Starts a cluster in memory, applies the operator's CustomResourceDefinitions, and runs MODULE (default src/main.ts) with
KUBECONFIG set. When a file changes it does the same again: definitions are read anew and applied, and the program is
stopped and started. Each run of a reconciler is printed with its reasons and what it wrote. Ctrl-C stops
everything, and leaves nothing behind.

Flags:
  --operator MODULE    exports the definitions to apply (default src/operator.ts, if it is there)
  --crds DIR           has them instead, as YAML      (default manifests/crds, if it is there)
  --watch DIR          changes below it count         (default the folder of MODULE)
  --data-dir DIR       where the kubeconfig is put    (default .windlass/dev)
  --nodes N            simulated nodes                (default 1)
  --kubeconfig FILE    run against this cluster instead of starting one
  --no-runs            do not print runs

Examples:
  windlass dev
  windlass dev src/main.ts -- --log-level debug
  windlass dev --kubeconfig ~/.kube/config
`,
  async run(args, terminal, signal) {
    const { values, positionals } = parse(args);
    const end = args.indexOf('--');
    const passed = end === -1 ? [] : args.slice(end + 1);
    const [entry = DEFAULT_ENTRY, ...more] = positionals.slice(0, positionals.length - passed.length);
    if (more.length > 0)
      throw new UsageError(
        `windlass dev runs one module; arguments for it come after --, but there is "${more[0]}"`,
      );
    const nodes = Number(values.nodes ?? '1');
    if (!Number.isInteger(nodes) || nodes < 0 || nodes > 100)
      throw new UsageError(`--nodes must be a number from 0 to 100, but it is "${values.nodes}"`);
    if (!(await exists(entry)))
      throw new UsageError(
        `${entry} is not there; run this in the folder of an operator, such as one made by windlass new, or name its module`,
      );
    const operator = await fileOf('--operator', values.operator, DEFAULT_OPERATOR);
    const crds = await fileOf('--crds', values.crds, DEFAULT_CRDS);
    const folder = values.watch ?? dirname(entry);
    return new DevLoop({
      entry: resolve(entry),
      args: passed,
      operator: values.crds === undefined && operator !== undefined ? resolve(operator) : undefined,
      crds,
      watched: resolve(folder),
      dataDir: resolve(values['data-dir'] ?? '.windlass/dev'),
      nodes,
      kubeconfig: values.kubeconfig,
      printsRuns: values['no-runs'] !== true,
      shown: (file) => relative('.', file),
      terminal,
    }).run(signal);
  },
};

/** What was named must be there; what is there by habit need not. */
async function fileOf(flag: string, named: string | undefined, usual: string): Promise<string | undefined> {
  if (named === undefined) return (await exists(usual)) ? usual : undefined;
  if (!(await exists(named))) throw new UsageError(`${flag} ${named} is not there`);
  return named;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function parse(args: readonly string[]) {
  return parseFlags('windlass help dev', args, {
    allowPositionals: true,
    options: {
      operator: { type: 'string' },
      crds: { type: 'string' },
      watch: { type: 'string' },
      'data-dir': { type: 'string' },
      nodes: { type: 'string' },
      kubeconfig: { type: 'string' },
      'no-runs': { type: 'boolean' },
    },
  });
}
