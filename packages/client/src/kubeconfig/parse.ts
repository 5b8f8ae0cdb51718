import { KubeconfigError } from '../errors.ts';
import { Secret } from '../secret.ts';
import { Fields } from './fields.ts';
import type { ClusterEntry, ContextEntry, ExecEntry, Kubeconfig, UserEntry } from './types.ts';
import { parseYaml } from './yaml.ts';

const EXEC_EXTENSION = 'client.authentication.k8s.io/exec';

/**
 * Reads one kubeconfig, YAML or JSON. Types are checked everywhere; whether an entry is complete is
 * checked only when a context uses it, because one broken entry must not lock out of the others.
 * @param file where the text came from, for messages
 */
export async function parseKubeconfig(text: string, file: string): Promise<Kubeconfig> {
  const document = parseYaml(text, file);
  // An empty file is a kubeconfig with nothing in it, as `kubectl config` leaves it behind.
  const root = new Fields(document ?? {}, file, '');
  const kind = root.string('kind');
  if (kind !== undefined && kind !== 'Config') {
    throw new KubeconfigError(
      `must be Config, but it is ${JSON.stringify(kind)}: this is no kubeconfig`,
      { file, field: 'kind' },
      { code: 'KUBECONFIG_INVALID' },
    );
  }
  const currentContext = root.string('current-context');
  return {
    files: [file],
    ...(currentContext === undefined ? {} : { currentContext, currentContextFile: file }),
    clusters: named(root, 'clusters', 'cluster', toCluster),
    users: named(root, 'users', 'user', toUser),
    contexts: named(root, 'contexts', 'context', toContext),
  };
}

/** The list of `{name, <inner>}` under `list`, by name. */
function named<T>(
  root: Fields,
  list: string,
  inner: string,
  convert: (name: string, fields: Fields) => T,
): Map<string, T> {
  const entries = new Map<string, T>();
  for (const item of root.list(list)) {
    const name = item.string('name');
    if (name === undefined) {
      throw new KubeconfigError(
        'is missing; every entry needs a name',
        { file: root.file, field: item.at('name') },
        { code: 'KUBECONFIG_INVALID' },
      );
    }
    if (entries.has(name)) {
      throw new KubeconfigError(
        `"${name}" is there twice; rename or remove one of the entries`,
        { file: root.file, field: item.at('name') },
        { code: 'KUBECONFIG_INVALID' },
      );
    }
    const fields = new Fields(item.raw(inner) ?? {}, root.file, `${list}[${name}].${inner}`);
    entries.set(name, convert(name, fields));
  }
  return entries;
}

function toCluster(name: string, fields: Fields): ClusterEntry {
  const execExtension = fields
    .list('extensions')
    .find((extension) => extension.string('name') === EXEC_EXTENSION)
    ?.raw('extension');
  return withoutUndefined({
    name,
    file: fields.file,
    field: fields.path,
    server: fields.string('server'),
    tlsServerName: fields.string('tls-server-name'),
    insecureSkipTlsVerify: fields.boolean('insecure-skip-tls-verify'),
    certificateAuthority: fields.string('certificate-authority'),
    certificateAuthorityData: fields.secret('certificate-authority-data'),
    proxyUrl: fields.secret('proxy-url'),
    disableCompression: fields.boolean('disable-compression'),
    execExtension,
  });
}

function toUser(name: string, fields: Fields): UserEntry {
  const extra = fields.fields('as-user-extra');
  const groups = fields.strings('as-groups');
  const exec = fields.fields('exec');
  return withoutUndefined({
    name,
    file: fields.file,
    field: fields.path,
    clientCertificate: fields.string('client-certificate'),
    clientCertificateData: fields.secret('client-certificate-data'),
    clientKey: fields.string('client-key'),
    clientKeyData: fields.secret('client-key-data'),
    token: fields.secret('token'),
    tokenFile: fields.string('tokenFile'),
    username: fields.string('username'),
    password: fields.secret('password'),
    exec: exec === undefined ? undefined : toExec(exec),
    authProvider: fields.fields('auth-provider')?.string('name'),
    impersonate: withoutUndefined({
      user: fields.string('as'),
      uid: fields.string('as-uid'),
      groups: groups.length > 0 ? groups : undefined,
      extra:
        extra === undefined
          ? undefined
          : Object.fromEntries(extra.names().map((key) => [key, extra.strings(key)])),
    }),
  });
}

function toExec(fields: Fields): ExecEntry {
  return withoutUndefined({
    apiVersion: fields.string('apiVersion'),
    command: fields.string('command'),
    args: fields.strings('args').map((argument) => new Secret(argument)),
    env: fields.list('env').map((variable) =>
      withoutUndefined({
        name: variable.string('name'),
        value: variable.secret('value') ?? new Secret(''),
      }),
    ),
    installHint: fields.string('installHint'),
    interactiveMode: fields.string('interactiveMode'),
    provideClusterInfo: fields.boolean('provideClusterInfo'),
  });
}

function toContext(name: string, fields: Fields): ContextEntry {
  return withoutUndefined({
    name,
    file: fields.file,
    field: fields.path,
    cluster: fields.string('cluster'),
    user: fields.string('user'),
    namespace: fields.string('namespace'),
  });
}

type WithoutUndefined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Absent fields are absent, so that what is printed shows only what was written. */
function withoutUndefined<T extends object>(value: T): WithoutUndefined<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  // Dropping exactly the undefined fields is what the type says.
  return Object.fromEntries(entries) as WithoutUndefined<T>;
}
