import type { AuthConfig, ExecConfig, Impersonation, InteractiveMode, TlsConfig } from '../config.ts';
import type { SecretValue } from '../secret.ts';
import { type Complain, complainAbout } from './complain.ts';
import { pemSource } from './resolve-cluster.ts';
import type { ClusterEntry, ExecEntry, UserEntry } from './types.ts';

const EXEC_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'] as const;
const INTERACTIVE_MODES: readonly InteractiveMode[] = ['Never', 'IfAvailable', 'Always'];

export interface ResolvedUser {
  readonly tls: Pick<TlsConfig, 'cert' | 'key'>;
  readonly auth?: AuthConfig;
  readonly impersonate?: Impersonation;
}

export function resolveUser(user: UserEntry, cluster: ClusterEntry, context: string): ResolvedUser {
  const complain = complainAbout(user, context);
  const cert = pemSource('client-certificate', user.clientCertificateData, user.clientCertificate, complain);
  const key = pemSource('client-key', user.clientKeyData, user.clientKey, complain);
  if (cert !== undefined && key === undefined) {
    throw complain('client-key-data', 'is missing; a client certificate needs client-key or client-key-data');
  }
  if (key !== undefined && cert === undefined) {
    throw complain(
      'client-certificate-data',
      'is missing; a client key needs client-certificate or client-certificate-data',
    );
  }
  const auth = resolveAuth(user, cluster, complain);
  const impersonate = resolveImpersonation(user, complain);
  return {
    tls: cert === undefined || key === undefined ? {} : { cert, key },
    ...(auth === undefined ? {} : { auth }),
    ...(impersonate === undefined ? {} : { impersonate }),
  };
}

function resolveAuth(user: UserEntry, cluster: ClusterEntry, complain: Complain): AuthConfig | undefined {
  if (user.authProvider !== undefined) {
    throw complain(
      'auth-provider',
      `"${user.authProvider}" is an auth provider, which Kubernetes clients no longer support; use its exec plugin`,
    );
  }
  const hasBasic = user.username !== undefined || user.password !== undefined;
  const hasToken = user.token !== undefined || user.tokenFile !== undefined;
  if (hasBasic && hasToken) {
    throw complain('username', 'stands beside token: only one way to authenticate is allowed');
  }
  // The file wins over the text beside it, because a file rotates and the text is what it held once.
  if (user.tokenFile !== undefined) return { type: 'tokenFile', file: user.tokenFile };
  if (user.token !== undefined) return { type: 'token', token: user.token };
  if (user.username !== undefined) {
    return { type: 'basic', username: user.username, password: user.password ?? '' };
  }
  if (user.password !== undefined) throw complain('username', 'is missing; password stands alone');
  return user.exec === undefined
    ? undefined
    : { type: 'exec', exec: resolveExec(user.exec, cluster, complain) };
}

function resolveExec(exec: ExecEntry, cluster: ClusterEntry, complain: Complain): ExecConfig {
  if (exec.command === undefined) {
    throw complain('exec.command', 'is missing; name the program that prints the credentials');
  }
  const apiVersion = EXEC_VERSIONS.find((version) => version === exec.apiVersion);
  if (apiVersion === undefined) {
    const given = exec.apiVersion === undefined ? 'missing' : `"${exec.apiVersion}"`;
    throw complain('exec.apiVersion', `must be ${EXEC_VERSIONS.join(' or ')}, but it is ${given}`);
  }
  return {
    apiVersion,
    command: exec.command,
    interactiveMode: interactiveMode(exec, apiVersion, complain),
    args: exec.args ?? [],
    env: execEnvironment(exec, complain),
    ...(exec.installHint === undefined ? {} : { installHint: exec.installHint }),
    ...(exec.provideClusterInfo === true
      ? { provideClusterInfo: true, clusterConfig: cluster.execExtension }
      : {}),
  };
}

function interactiveMode(exec: ExecEntry, apiVersion: string, complain: Complain): InteractiveMode {
  // v1 made the field required; before it, a plugin could count on a terminal if there was one.
  if (exec.interactiveMode === undefined && apiVersion !== EXEC_VERSIONS[0]) return 'IfAvailable';
  const mode = INTERACTIVE_MODES.find((known) => known === exec.interactiveMode);
  if (mode !== undefined) return mode;
  const given = exec.interactiveMode === undefined ? 'missing' : `"${exec.interactiveMode}"`;
  throw complain('exec.interactiveMode', `must be ${INTERACTIVE_MODES.join(', ')}, but it is ${given}`);
}

function execEnvironment(exec: ExecEntry, complain: Complain): Record<string, SecretValue> {
  const environment: Record<string, SecretValue> = {};
  for (const [index, { name, value }] of (exec.env ?? []).entries()) {
    if (name === undefined) throw complain(`exec.env[${index}].name`, 'is missing');
    environment[name] = value ?? '';
  }
  return environment;
}

function resolveImpersonation(user: UserEntry, complain: Complain): Impersonation | undefined {
  const { user: as, ...rest } = user.impersonate;
  if (as !== undefined) return { user: as, ...rest };
  if (Object.keys(rest).length > 0) {
    throw complain('as', 'is missing; as-uid, as-groups and as-user-extra need a user to impersonate');
  }
  return undefined;
}
