import type { ClientConfig } from '../config.ts';
import { KubeconfigError } from '../errors.ts';
import { complainAbout } from './complain.ts';
import { resolveCluster } from './resolve-cluster.ts';
import { type ResolvedUser, resolveUser } from './resolve-user.ts';
import type { ContextEntry, Kubeconfig } from './types.ts';

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/**
 * What one context of a kubeconfig means.
 * @param contextName default: the current context
 */
export function resolveContext(kubeconfig: Kubeconfig, contextName?: string): ClientConfig {
  const context = findContext(kubeconfig, contextName);
  const complain = complainAbout(context, context.name);
  if (context.cluster === undefined) throw complain('cluster', 'is missing');
  const cluster = kubeconfig.clusters.get(context.cluster);
  if (cluster === undefined) {
    throw complain('cluster', notThere('cluster', context.cluster, kubeconfig.clusters));
  }
  if (context.namespace !== undefined && !DNS_LABEL.test(context.namespace)) {
    throw complain('namespace', `"${context.namespace}" is no valid namespace name`);
  }
  const server = resolveCluster(cluster, context.name);
  let user: ResolvedUser = { tls: {} };
  // A context without a user is anonymous; one that names a user must mean somebody.
  if (context.user !== undefined) {
    const entry = kubeconfig.users.get(context.user);
    if (entry === undefined) {
      throw complain('user', notThere('user', context.user, kubeconfig.users));
    }
    user = resolveUser(entry, cluster, context.name);
  }
  // Credentials go over TLS only, as with kubectl: a token sent in the clear is a token given away.
  if (server.server.startsWith('http:')) user = { tls: {} };
  return {
    ...server,
    ...user,
    tls: { ...server.tls, ...user.tls },
    namespace: context.namespace ?? 'default',
    source: `${context.file}, context "${context.name}"`,
  };
}

function findContext(kubeconfig: Kubeconfig, contextName: string | undefined): ContextEntry {
  const name = contextName ?? kubeconfig.currentContext;
  const context = name === undefined ? undefined : kubeconfig.contexts.get(name);
  if (context !== undefined) return context;
  const file = kubeconfig.files.length === 0 ? undefined : kubeconfig.files.join(', ');
  const choices = `contexts here: ${[...kubeconfig.contexts.keys()].join(', ') || 'none'}`;
  if (name === undefined) {
    throw new KubeconfigError(
      `is not set, and no context was asked for (${choices})`,
      { file, field: 'current-context' },
      { code: 'KUBECONFIG_INVALID' },
    );
  }
  const where =
    contextName === undefined ? { file: kubeconfig.currentContextFile, field: 'current-context' } : { file };
  throw new KubeconfigError(
    `there is no such context (${choices})`,
    { ...where, context: name },
    { code: 'KUBECONFIG_INVALID' },
  );
}

function notThere(what: string, name: string, entries: ReadonlyMap<string, unknown>): string {
  return `there is no ${what} "${name}" (${what}s here: ${[...entries.keys()].join(', ') || 'none'})`;
}
