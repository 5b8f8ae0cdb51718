import { readFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import type { ClientConfig } from '../config.ts';
import { KubeconfigError } from '../errors.ts';
import { Secret } from '../secret.ts';
import { inClusterConfig, isInCluster } from './in-cluster.ts';
import { mergeKubeconfigs, resolvePaths } from './merge.ts';
import { parseKubeconfig } from './parse.ts';
import { proxyFromEnvironment } from './proxy-environment.ts';
import { resolveContext } from './resolve.ts';
import type { Kubeconfig } from './types.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where kubeconfig files are looked for. */
export interface LoadKubeconfigOptions {
  /** This file and no other. @default what KUBECONFIG lists, or else `~/.kube/config` */
  readonly path?: string;
  /** @default process.env */
  readonly env?: Environment;
}

/** Where the way to a cluster is looked for: a kubeconfig, or else the credentials of the pod. */
export interface LoadConfigOptions extends LoadKubeconfigOptions {
  /** @default the current context */
  readonly context?: string;
  /** Where a pod's credentials are mounted. @default /var/run/secrets/kubernetes.io/serviceaccount */
  readonly serviceAccountDir?: string;
}

/**
 * The configuration a program should use when nobody says otherwise: the given path, what KUBECONFIG
 * lists, `~/.kube/config`, and last the credentials that a pod is given.
 */
export async function loadConfig(options: LoadConfigOptions = {}): Promise<ClientConfig> {
  const env = options.env ?? process.env;
  const kubeconfig = await loadKubeconfig(options);
  if (!isEmpty(kubeconfig) || options.path !== undefined || options.context !== undefined) {
    return withProxy(resolveContext(kubeconfig, options.context), env);
  }
  if (isInCluster(env)) return withProxy(await inClusterConfig(options), env);
  const looked = [
    ...kubeconfigPaths(env).map((path) => `${path} (absent or empty)`),
    'in-cluster credentials',
  ];
  throw new KubeconfigError(
    `found nowhere; looked for ${looked.join(', ')}. Set KUBECONFIG or pass a path`,
    {},
    { code: 'KUBECONFIG_NONE' },
  );
}

/** What the kubeconfig says wins over what the environment says. */
function withProxy(config: ClientConfig, env: Environment): ClientConfig {
  if (config.proxyUrl !== undefined) return config;
  const proxyUrl = proxyFromEnvironment(config.server, env);
  return proxyUrl === undefined ? config : { ...config, proxyUrl: new Secret(proxyUrl) };
}

/** The kubeconfig files merged into one. A listed file that does not exist counts as empty. */
export async function loadKubeconfig(options: LoadKubeconfigOptions = {}): Promise<Kubeconfig> {
  const paths =
    options.path === undefined ? kubeconfigPaths(options.env ?? process.env) : [resolve(options.path)];
  const configs: Kubeconfig[] = [];
  for (const path of paths) {
    const text = await read(path, options.path !== undefined);
    if (text !== undefined) configs.push(resolvePaths(await parseKubeconfig(text, path), path));
  }
  return mergeKubeconfigs(configs);
}

function kubeconfigPaths(env: Environment): string[] {
  const listed = env['KUBECONFIG'];
  if (listed !== undefined && listed !== '') {
    const paths = listed.split(delimiter).filter((path) => path !== '');
    return [...new Set(paths.map((path) => resolve(path)))];
  }
  const home = env['HOME'] ?? env['USERPROFILE'];
  return home === undefined || home === '' ? [] : [join(home, '.kube', 'config')];
}

async function read(path: string, required: boolean): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && !required) return undefined;
    throw new KubeconfigError(
      missing ? 'there is no such file' : 'cannot be read',
      { file: path },
      { code: 'KUBECONFIG_UNREADABLE', cause: error },
    );
  }
}

function isEmpty(config: Kubeconfig): boolean {
  return (
    config.clusters.size === 0 &&
    config.users.size === 0 &&
    config.contexts.size === 0 &&
    config.currentContext === undefined
  );
}
