import { join } from 'node:path';
import type { ClusterInfo } from '../token/join-command.ts';
import type { Machine } from './machine.ts';

/** Where a node's files are, and what its kubelet is told. */
export interface NodeSettings {
  /** Credentials and static pods. @example '/etc/kubernetes' */
  readonly kubernetesDir: string;
  /** The kubelet's own. @example DEFAULT_KUBELET_DIR */
  readonly kubeletDir: string;
  /** @example 'unix:///run/containerd/containerd.sock' */
  readonly criSocket: string;
  /** Undefined: as the machine has it. */
  readonly cgroupDriver: string | undefined;
  /** Undefined: the host's name. */
  readonly nodeName: string | undefined;
  /** Undefined: the address of the default route. */
  readonly nodeIp: string | undefined;
}

/** One file that makes a machine a node. */
export interface NodeFile {
  readonly path: string;
  readonly mode: number;
  readonly text: string;
  /** What it is, for people. */
  readonly about: string;
}

/** Where kubelets keep their files. */
export const DEFAULT_KUBELET_DIR = '/var/lib/kubelet';

type Config = Readonly<Record<string, unknown>>;

const PRIVATE = 0o600;
const PUBLIC = 0o644;

/** What a node's kubelet has once it has joined: while it is there, the machine is a node. */
export const kubeletKubeconfig = ({ kubernetesDir }: NodeSettings): string =>
  join(kubernetesDir, 'kubelet.conf');

const bootstrapKubeconfig = ({ kubernetesDir }: NodeSettings): string =>
  join(kubernetesDir, 'bootstrap-kubelet.conf');
const authorityFile = ({ kubernetesDir }: NodeSettings): string => join(kubernetesDir, 'pki/ca.crt');
const configFile = ({ kubeletDir }: NodeSettings): string => join(kubeletDir, 'config.yaml');

/** The files where kubeadm's packages expect them. */
export function nodeFiles(
  { server, authority }: ClusterInfo,
  { token, config, machine }: { readonly token: string; readonly config: Config; readonly machine: Machine },
  settings: NodeSettings,
): NodeFile[] {
  return [
    {
      path: bootstrapKubeconfig(settings),
      mode: PRIVATE,
      text: json(tokenKubeconfig(server, authority, token)),
      about: 'the token, by which the kubelet asks for a certificate',
    },
    { path: authorityFile(settings), mode: PUBLIC, text: authority, about: "the cluster's authority" },
    {
      path: configFile(settings),
      mode: PUBLIC,
      text: json(kubeletConfig(config, machine, settings)),
      about: "the kubelet's configuration",
    },
    {
      path: join(settings.kubeletDir, 'kubeadm-flags.env'),
      mode: PUBLIC,
      text: `KUBELET_KUBEADM_ARGS="${nodeFlags(settings).join(' ')}"\n`,
      about: "its flags, for the unit of kubeadm's packages",
    },
  ];
}

/** The command line of the kubelet. */
export function kubeletArguments(settings: NodeSettings): string[] {
  return [
    `--bootstrap-kubeconfig=${bootstrapKubeconfig(settings)}`,
    `--kubeconfig=${kubeletKubeconfig(settings)}`,
    `--config=${configFile(settings)}`,
    `--root-dir=${settings.kubeletDir}`,
    `--cert-dir=${join(settings.kubeletDir, 'pki')}`,
    ...nodeFlags(settings),
  ];
}

function nodeFlags({ nodeName, nodeIp }: NodeSettings): string[] {
  return [
    ...(nodeName === undefined ? [] : [`--hostname-override=${nodeName}`]),
    ...(nodeIp === undefined ? [] : [`--node-ip=${nodeIp}`]),
  ];
}

function tokenKubeconfig(server: string, authority: string, token: string): object {
  const name = 'kubernetes';
  const user = 'tls-bootstrap-token-user';
  const cluster = { server, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name: `${user}@${name}`, context: { cluster: name, user } }],
    'current-context': `${user}@${name}`,
  };
}

/** What the cluster has for all its nodes, with what depends on the machine. */
function kubeletConfig(config: Config, machine: Machine, settings: NodeSettings): object {
  const driver =
    settings.cgroupDriver ?? config['cgroupDriver'] ?? (machine.hasSystemd ? 'systemd' : 'cgroupfs');
  const authentication = { ...(config['authentication'] as object | undefined) }; // of a KubeletConfiguration
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    authorization: { mode: 'Webhook' },
    rotateCertificates: true,
    serverTLSBootstrap: true,
    ...(machine.resolvConf !== undefined && { resolvConf: machine.resolvConf }),
    ...(machine.hasCgroupV1 && { failCgroupV1: false }),
    ...ownFolders(settings),
    ...config,
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      ...authentication,
      x509: { clientCAFile: authorityFile(settings) },
    },
    cgroupDriver: driver,
    containerRuntimeEndpoint: settings.criSocket,
    staticPodPath: join(settings.kubernetesDir, 'manifests'),
  };
}

/** Beside another kubelet of the machine it keeps to its own folder in everything. */
function ownFolders({ kubeletDir }: NodeSettings): object {
  if (kubeletDir === DEFAULT_KUBELET_DIR) return {};
  return { podLogsDir: join(kubeletDir, 'pod-logs'), volumePluginDir: join(kubeletDir, 'volume-plugins') };
}

// JSON is YAML.
const json = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
