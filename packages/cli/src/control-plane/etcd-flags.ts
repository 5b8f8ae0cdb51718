import { readFile } from 'node:fs/promises';
import type { EtcdOptions } from '@windlass/cluster';
import { UsageError } from '../command-line/exit.ts';
import { notEmpty } from '../command-line/flag-values.ts';

/** With the names that kube-apiserver has for them. */
export const ETCD_FLAGS = {
  'etcd-servers': { type: 'string' },
  'etcd-cafile': { type: 'string' },
  'etcd-certfile': { type: 'string' },
  'etcd-keyfile': { type: 'string' },
  'etcd-prefix': { type: 'string' },
  'encryption-provider-config': { type: 'string' },
} as const;

export const ETCD_HELP = `  --etcd-servers LIST  keep objects in an etcd: its members, such as
                       https://10.0.0.1:2379,https://10.0.0.2:2379; any number of
                       API servers may share it       (default in DATA-DIR)
  --etcd-cafile FILE   who signs the certificates of etcd (default the machine's authorities)
  --etcd-certfile FILE  a certificate to show to etcd, and
  --etcd-keyfile FILE  its key                        (default none)
  --etcd-prefix PREFIX  what all keys begin with      (default /registry)
  --encryption-provider-config FILE  an EncryptionConfiguration, as kube-apiserver reads
                       it: what is encrypted in etcd  (default nothing)`;

/** An etcd as the flags name it. */
export interface EtcdFlags {
  readonly servers: readonly string[];
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly prefix: string | undefined;
  readonly encryptionFile: string | undefined;
}

type Values = { readonly [Flag in keyof typeof ETCD_FLAGS]?: string | undefined };

/** Undefined without `--etcd-servers`. @throws UsageError */
export function etcdFlags(values: Values): EtcdFlags | undefined {
  const list = notEmpty('--etcd-servers', values['etcd-servers']);
  if (list === undefined) {
    const alone = Object.keys(ETCD_FLAGS).find((flag) => flag in values);
    if (alone !== undefined)
      throw new UsageError(`--${alone} needs --etcd-servers, which says where the etcd is`);
    return undefined;
  }
  const servers = list.split(',').map(serverUrl);
  const certFile = notEmpty('--etcd-certfile', values['etcd-certfile']);
  const keyFile = notEmpty('--etcd-keyfile', values['etcd-keyfile']);
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new UsageError('--etcd-certfile and --etcd-keyfile belong together; give both or neither');
  return {
    servers,
    caFile: notEmpty('--etcd-cafile', values['etcd-cafile']),
    certFile,
    keyFile,
    prefix: prefixOf(values['etcd-prefix']),
    encryptionFile: notEmpty('--encryption-provider-config', values['encryption-provider-config']),
  };
}

function serverUrl(text: string): string {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === '' || url.pathname !== '/')
    throw new UsageError(
      `--etcd-servers must be addresses such as https://10.0.0.1:2379, with commas between them, but it has "${text}"`,
    );
  return url.origin;
}

function prefixOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const prefix = `/${text.replace(/^\/+|\/+$/g, '')}`;
  if (prefix === '/')
    throw new UsageError(`--etcd-prefix must be a path such as /registry, but it is "${text}"`);
  return prefix;
}

/** With the certificates that the flags name. @throws UsageError */
export async function etcdOptions({
  servers,
  prefix,
  caFile,
  certFile,
  keyFile,
  encryptionFile,
}: EtcdFlags): Promise<EtcdOptions> {
  const tls = {
    ca: await readFlagFile('--etcd-cafile', caFile),
    cert: await readFlagFile('--etcd-certfile', certFile),
    key: await readFlagFile('--etcd-keyfile', keyFile),
  };
  const encryption = await readFlagFile('--encryption-provider-config', encryptionFile);
  return { servers, tls, prefix, encryption };
}

async function readFlagFile(flag: string, file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError(
      `${flag} ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
