import { stat } from 'node:fs/promises';
import type { NamedListChange } from '@windlass/apimachinery';
import { changeKubeconfig, type MergeOptions } from './change-kubeconfig.ts';
import { MergeKubeconfigError } from './errors.ts';
import type { KubeconfigEntries } from './kubeconfig.ts';
import { OWNER, type PresentConfig, readConfig } from './present-config.ts';

/**
 * Puts the entries of the cluster in `dataDir` into a kubeconfig, in the place of those that it has there. Everything
 * else stays: also the current context, unless there is none. The file is written whole, for its owner only, under the
 * lock that kubectl takes.
 * @throws MergeKubeconfigError when another cluster that is still there has the name, or the file cannot be read
 */
export async function mergeIntoKubeconfig(
  file: string,
  entries: KubeconfigEntries,
  dataDir: string,
  options: MergeOptions = {},
): Promise<void> {
  await changeKubeconfig(file, options, async (text) => {
    const { cluster, user, context } = entries;
    const present = readConfig(file, text);
    const owner = present.clusters.get(cluster.name);
    const isTaken = present.clusters.has(cluster.name) || present.contexts.has(context.name);
    if (isTaken && owner !== dataDir && (owner === undefined || (await isThere(owner))))
      throw new MergeKubeconfigError(
        file,
        `its context "${context.name}" belongs to ${owner === undefined ? 'something else' : `the cluster in ${owner}`}; ` +
          'choose another name with --name, or take it out with kubectl config delete-context and delete-cluster',
      );
    const stale = staleEntries(present, dataDir);
    const { cluster: settings } = cluster;
    const owned = {
      // An entry of ours has its settings in an object.
      ...(settings as Readonly<Record<string, string>>),
      extensions: [{ name: OWNER, extension: { dataDir } }],
    };
    return [
      ...(text === '' ? FILE_HEAD : []),
      ...stale,
      { list: 'clusters', name: cluster.name, entry: { cluster: owned } },
      { list: 'users', name: user.name, entry: { user: user['user'] ?? {} } },
      { list: 'contexts', name: context.name, entry: { context: context['context'] ?? {} } },
      ...(present.currentContext === undefined || contextsIn(stale).includes(present.currentContext)
        ? [{ field: 'current-context', value: context.name } as const]
        : []),
    ];
  });
}

const FILE_HEAD: readonly NamedListChange[] = [
  { field: 'apiVersion', value: 'v1' },
  { field: 'kind', value: 'Config' },
];

/** Takes out what the cluster in `dataDir` has there. A file that is gone is as good. */
export async function takeOutOfKubeconfig(
  file: string,
  dataDir: string,
  options: MergeOptions = {},
): Promise<void> {
  if (!(await isThere(file))) return;
  await changeKubeconfig(file, options, async (text) => {
    const present = readConfig(file, text);
    const changes = staleEntries(present, dataDir);
    return [
      ...changes,
      // A current context that is not there is an error in every client; none is not.
      ...(contextsIn(changes).includes(present.currentContext ?? '')
        ? [{ field: 'current-context', value: '' } as const]
        : []),
    ];
  });
}

/** The entries that are the cluster's: those of its data directory, by whatever name, and what leads to them. */
function staleEntries(present: PresentConfig, dataDir: string): NamedListChange[] {
  const clusters = [...present.clusters].flatMap(([name, owner]) => (owner === dataDir ? [name] : []));
  return clusters.flatMap((name) => {
    const context = present.contexts.get(name);
    const user = `${name}-admin`;
    const gone = (list: string, of: string): NamedListChange => ({ list, name: of, entry: undefined });
    return [
      gone('clusters', name),
      ...(context?.cluster === name ? [gone('contexts', name)] : []),
      ...(context?.user === user ? [gone('users', user)] : []),
    ];
  });
}

function contextsIn(changes: readonly NamedListChange[]): string[] {
  return changes.flatMap((one) => ('list' in one && one.list === 'contexts' ? one.name : []));
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
