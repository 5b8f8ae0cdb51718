import { access, mkdir } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, resolve } from 'node:path';
import {
  type BootstrapTokenText,
  decodeYaml,
  isForbidden,
  isJsonObject,
  isNotFound,
  isUnauthorized,
} from '@windlass/apimachinery';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { realClock, writeWhole } from '@windlass/base';
import { createClient } from '@windlass/client';
import type { Command } from '../command-line/command.ts';
import { EXIT_OK, UsageError } from '../command-line/exit.ts';
import { notEmpty } from '../command-line/flag-values.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { ClusterInfo } from '../token/join-command.ts';
import { tokenOf } from '../token/new-token.ts';
import { discoverCluster, fetchClusterInfoFrom } from './cluster-info.ts';
import { thisMachine } from './machine.ts';
import {
  DEFAULT_KUBELET_DIR,
  kubeletArguments,
  kubeletKubeconfig,
  type NodeFile,
  type NodeSettings,
  nodeFiles,
} from './node-files.ts';
import { runKubelet } from './run-kubelet.ts';

const PATIENCE_MS = 30_000;
const HASH = /^sha256:[0-9a-f]{64}$/;
const DNS_NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

interface JoinFlags {
  readonly address: string;
  readonly token: BootstrapTokenText;
  readonly hashes: readonly string[];
  readonly settings: NodeSettings;
  /** Undefined: it is only said how to start it. */
  readonly kubelet: string | undefined;
  /** For the kubelet, as they are. */
  readonly more: readonly string[];
}

export const nodeJoinCommand: Command = {
  name: 'join',
  summary: 'make this machine a node of a cluster',
  help: `windlass node join: makes this machine a node of a cluster

Usage: windlass node join ADDRESS:PORT --token TOKEN --discovery-token-ca-cert-hash HASH [flags]

windlass token create --print-join-command, where the cluster is, prints it. It makes sure that the
cluster is the right one, writes what a kubelet needs, where kubeadm's packages expect it, and says how
to start the kubelet, which then gets itself a certificate. It needs a container runtime, and root.

Flags:
  --token TOKEN         of windlass token create
  --discovery-token-ca-cert-hash HASH
                        sha256:… of the public key of the cluster's authority; may be given again
  --discovery-token-unsafe-skip-ca-verification
                        trust whoever signs with the token, without a hash
  --node-name NAME      (default the host's name)
  --node-ip ADDRESS     of this machine, for the others  (default that of the default route)
  --cri-socket SOCKET   the container runtime       (default unix:///run/containerd/containerd.sock)
  --cgroup-driver NAME  systemd or cgroupfs, as the runtime has it (default systemd where it runs)
  --kubernetes-dir DIR  for credentials             (default /etc/kubernetes)
  --kubelet-dir DIR     for the kubelet's own files (default /var/lib/kubelet)
  --run                 start the kubelet, and run until it ends; what stands after -- are flags for it
  --kubelet PROGRAM     the kubelet for --run       (default kubelet)

Examples:
  windlass node join 192.0.2.7:7443 --token abcdef.0123456789abcdef \\
    --discovery-token-ca-cert-hash sha256:1c1ebd… --node-name rack-1
`,
  async run(args, terminal, signal) {
    const flags = parseJoinFlags(args);
    const { address, token, hashes, settings } = flags;
    await refuseSecondTime(settings);
    const cluster = await discoverCluster({
      fetch: fetchClusterInfoFrom(address, realClock),
      token,
      hashes,
      clock: realClock,
      patienceMs: PATIENCE_MS,
      signal,
    });
    const text = `${token.id}.${token.secret}`;
    const config = await kubeletConfigOf(cluster, text, signal);
    const files = nodeFiles(cluster, { token: text, config, machine: thisMachine() }, settings);
    await writeFiles(files);
    terminal.out(doneText(cluster, files, flags));
    if (flags.kubelet === undefined) return EXIT_OK;
    return runKubelet(flags.kubelet, [...kubeletArguments(settings), ...flags.more], signal);
  },
};

function parseJoinFlags(args: readonly string[]): JoinFlags {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  const { values, positionals } = parseFlags('windlass node join --help', own, {
    allowPositionals: true,
    options: {
      token: { type: 'string' },
      'discovery-token-ca-cert-hash': { type: 'string', multiple: true },
      'discovery-token-unsafe-skip-ca-verification': { type: 'boolean' },
      'node-name': { type: 'string' },
      'node-ip': { type: 'string' },
      'cri-socket': { type: 'string' },
      'cgroup-driver': { type: 'string' },
      'kubernetes-dir': { type: 'string' },
      'kubelet-dir': { type: 'string' },
      run: { type: 'boolean' },
      kubelet: { type: 'string' },
    },
  });
  const [address, ...rest] = positionals;
  if (address === undefined || rest.length > 0)
    throw new UsageError('windlass node join takes one address, such as 192.0.2.7:7443');
  const server = checkedAddress(address);
  if (values.token === undefined) throw new UsageError('--token is needed; windlass token create makes one');
  const more = end === -1 ? [] : args.slice(end + 1);
  if (values.run !== true && (values.kubelet !== undefined || more.length > 0))
    throw new UsageError(
      `${values.kubelet === undefined ? 'flags for the kubelet need' : '--kubelet needs'} --run`,
    );
  return {
    address: server,
    token: tokenOf(values.token, '--token'),
    hashes: hashesOf(
      values['discovery-token-ca-cert-hash'] ?? [],
      values['discovery-token-unsafe-skip-ca-verification'] ?? false,
    ),
    settings: {
      kubernetesDir: resolve(notEmpty('--kubernetes-dir', values['kubernetes-dir'] ?? '/etc/kubernetes')),
      kubeletDir: resolve(notEmpty('--kubelet-dir', values['kubelet-dir'] ?? DEFAULT_KUBELET_DIR)),
      criSocket: checkedSocket(values['cri-socket'] ?? 'unix:///run/containerd/containerd.sock'),
      cgroupDriver: checkedDriver(values['cgroup-driver']),
      nodeName: checkedName(values['node-name']),
      nodeIp: checkedIp(values['node-ip']),
    },
    kubelet: values.run === true ? notEmpty('--kubelet', values.kubelet ?? 'kubelet') : undefined,
    more,
  };
}

function checkedAddress(text: string): string {
  const url = URL.parse(`https://${text}`);
  if (url !== null && url.host === text && url.port !== '') return text;
  throw new UsageError(`the address must be one with a port, such as 192.0.2.7:7443, but it is "${text}"`);
}

function hashesOf(hashes: readonly string[], skips: boolean): readonly string[] {
  const wrong = hashes.find((hash) => !HASH.test(hash));
  if (wrong !== undefined)
    throw new UsageError(
      `--discovery-token-ca-cert-hash must be sha256: and 64 hexadecimal digits, but it is "${wrong}"`,
    );
  if (hashes.length === 0 && !skips)
    throw new UsageError(
      '--discovery-token-ca-cert-hash is needed: without it anybody who has the token could pose as the cluster; ' +
        '--discovery-token-unsafe-skip-ca-verification goes without',
    );
  return hashes;
}

function checkedSocket(text: string): string {
  if (/^unix:\/\/\/./.test(text)) return text;
  throw new UsageError(
    `--cri-socket must be a path such as unix:///run/containerd/containerd.sock, but it is "${text}"`,
  );
}

function checkedDriver(text: string | undefined): string | undefined {
  if (text === undefined || text === 'systemd' || text === 'cgroupfs') return text;
  throw new UsageError(`--cgroup-driver must be systemd or cgroupfs, but it is "${text}"`);
}

function checkedName(text: string | undefined): string | undefined {
  if (text === undefined || DNS_NAME.test(text)) return text;
  throw new UsageError(`--node-name must be of a-z, 0-9, - and ., such as rack-1, but it is "${text}"`);
}

function checkedIp(text: string | undefined): string | undefined {
  if (text === undefined || isIP(text) !== 0) return text;
  throw new UsageError(`--node-ip must be an address such as 192.0.2.8, but it is "${text}"`);
}

/** A kubelet that has a certificate would not look at the token. */
async function refuseSecondTime(settings: NodeSettings): Promise<void> {
  const file = kubeletKubeconfig(settings);
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere)
    throw new UsageError(
      `this machine is a node already: there is ${file}; to join anew, stop its kubelet and remove ${file} and ${settings.kubeletDir}/pki`,
    );
}

/** What the cluster has for all kubelets; nothing where it has none. */
async function kubeletConfigOf(
  { server, authority }: ClusterInfo,
  token: string,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  await using client = createClient({
    config: { server, tls: { ca: { data: authority } }, auth: { type: 'token', token } },
  });
  try {
    const maps = client.resource(ConfigMap).namespace('kube-system');
    const { data } = await maps.get('kubelet-config', { signal });
    const { value } = decodeYaml(data?.['kubelet'] ?? '{}');
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (isUnauthorized(error))
      throw new UsageError('the token is not one to authenticate with; windlass token create makes another');
    if (isNotFound(error) || isForbidden(error)) return {};
    throw error;
  }
}

async function writeFiles(files: readonly NodeFile[]): Promise<void> {
  for (const { path, mode, text } of files) {
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeWhole(path, text, mode);
    } catch (error) {
      if (error instanceof Error && 'code' in error && (error.code === 'EACCES' || error.code === 'EPERM'))
        throw new UsageError(`${path} may not be written; run windlass node join as root`);
      throw error;
    }
  }
}

function doneText({ server }: ClusterInfo, files: readonly NodeFile[], flags: JoinFlags): string {
  const wide = Math.max(...files.map(({ path }) => path.length));
  const list = files.map(({ path, about }) => `  ${path.padEnd(wide)}  ${about}\n`).join('');
  const written = `This machine may join ${server}. Written:\n\n${list}`;
  if (flags.kubelet !== undefined) return `${written}\nThe kubelet starts.\n`;
  return `${written}
Start the kubelet. From kubeadm's packages:

  systemctl enable --now kubelet

As a program alone:

  kubelet ${kubeletArguments(flags.settings).join(' \\\n    ')}
`;
}
