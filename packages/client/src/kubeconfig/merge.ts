import { dirname, isAbsolute, resolve, sep } from 'node:path';
import type { ClusterEntry, Kubeconfig, UserEntry } from './types.ts';

/**
 * Several kubeconfigs as one, by kubectl's rules: of two entries with one name the first file's wins as
 * a whole, and so does the first file that names a current context.
 */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const first = configs.find((config) => config.currentContext !== undefined);
  return {
    files: configs.flatMap((config) => config.files),
    ...(first?.currentContext === undefined ? {} : { currentContext: first.currentContext }),
    ...(first?.currentContextFile === undefined ? {} : { currentContextFile: first.currentContextFile }),
    clusters: firstWins(configs.map((config) => config.clusters)),
    users: firstWins(configs.map((config) => config.users)),
    contexts: firstWins(configs.map((config) => config.contexts)),
  };
}

/** Makes the paths that a file names relative to the folder that the file is in. */
export function resolvePaths(config: Kubeconfig, file: string): Kubeconfig {
  const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(dirname(file), path));
  return {
    ...config,
    clusters: mapValues(config.clusters, (cluster) => clusterPaths(cluster, absolute)),
    users: mapValues(config.users, (user) => userPaths(user, absolute)),
  };
}

type ToAbsolute = (path: string) => string;

function clusterPaths(cluster: ClusterEntry, absolute: ToAbsolute): ClusterEntry {
  if (cluster.certificateAuthority === undefined) return cluster;
  return { ...cluster, certificateAuthority: absolute(cluster.certificateAuthority) };
}

function userPaths(user: UserEntry, absolute: ToAbsolute): UserEntry {
  const { clientCertificate, clientKey, tokenFile, exec } = user;
  // A command without a separator is looked up in PATH.
  const command = exec?.command?.includes(sep) === true ? absolute(exec.command) : undefined;
  return {
    ...user,
    ...(clientCertificate === undefined ? {} : { clientCertificate: absolute(clientCertificate) }),
    ...(clientKey === undefined ? {} : { clientKey: absolute(clientKey) }),
    ...(tokenFile === undefined ? {} : { tokenFile: absolute(tokenFile) }),
    ...(command === undefined ? {} : { exec: { ...exec, command } }),
  };
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>();
  for (const map of maps) {
    for (const [name, entry] of map) if (!merged.has(name)) merged.set(name, entry);
  }
  return merged;
}

function mapValues<T>(map: ReadonlyMap<string, T>, convert: (value: T) => T): Map<string, T> {
  return new Map([...map].map(([name, value]) => [name, convert(value)]));
}
