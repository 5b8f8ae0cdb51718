import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the data directories of clusters with a name are. */
export function namedDataDir(name: string, env: Environment = process.env): string {
  return join(folderOf(env, 'XDG_DATA_HOME', '.local/share'), 'windlass', name);
}

/** Where the user's clusters are noted. */
export function registryFolder(env: Environment = process.env): string {
  return join(folderOf(env, 'XDG_STATE_HOME', '.local/state'), 'windlass', 'clusters');
}

/** The kubeconfigs that kubectl would take, in its order. */
export function userKubeconfigs(env: Environment = process.env): string[] {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (listed.length > 0) return listed.map((path) => resolve(path));
  return [join(homeOf(env), '.kube', 'config')];
}

function folderOf(env: Environment, variable: string, byDefault: string): string {
  const set = env[variable];
  // The specification: a path that is not absolute counts as none.
  return set?.startsWith('/') ? set : join(homeOf(env), byDefault);
}

function homeOf(env: Environment): string {
  const home = env['HOME'];
  return home === undefined || home === '' ? homedir() : home;
}
