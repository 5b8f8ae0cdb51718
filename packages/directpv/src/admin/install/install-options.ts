import type { Toleration } from '@windlass/apimachinery/api/core/v1';

/** Where each process's place in the data centre comes from. */
export interface InstallTopology {
  /** A value for every node, or `label:KEY` for that of each node's own label. @default 'default' */
  readonly rack?: string;
  /** As `rack`. @default 'default' */
  readonly zone?: string;
  /** As `rack`. @default 'default' */
  readonly region?: string;
}

/** What may differ from one installation to the next. */
export interface InstallOptions {
  /** The image of both processes. @default DEFAULT_IMAGE */
  readonly image?: string;
  /** Names of secrets in the namespace, with which the image is pulled. @default none */
  readonly imagePullSecrets?: readonly string[];
  /** Nodes that have drives. @default every Linux node */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Of the node server. @default none */
  readonly tolerations?: readonly Toleration[];
  /** Where the kubelet keeps its state. @default '/var/lib/kubelet' */
  readonly kubeletDir?: string;
  /** Name of a profile that is loaded on every node. @default the runtime's */
  readonly appArmorProfile?: string;
  /** Path of a profile below the kubelet's seccomp directory. @default the runtime's */
  readonly seccompProfile?: string;
  readonly topology?: InstallTopology;
  /** Whether a node whose kernel cannot limit a volume's size takes volumes all the same. @default 'required' */
  readonly quota?: 'required' | 'preferred';
  /** Of the controller; one leads, the others wait. @default 3 */
  readonly replicas?: number;
  /** Adds what OpenShift wants: leave to use the privileged security context. @default false */
  readonly openshift?: boolean;
}

/** Every option with its value. */
export interface InstallSettings
  extends Required<Omit<InstallOptions, 'appArmorProfile' | 'seccompProfile'>> {
  readonly topology: Required<InstallTopology>;
  readonly appArmorProfile: string | undefined;
  readonly seccompProfile: string | undefined;
}

/** The image that deploy/Dockerfile makes. */
export const DEFAULT_IMAGE = 'windlass:0.1.0';

const EVERYWHERE = 'default';

export function installSettings(options: InstallOptions): InstallSettings {
  const { rack = EVERYWHERE, zone = EVERYWHERE, region = EVERYWHERE } = options.topology ?? {};
  return {
    image: options.image ?? DEFAULT_IMAGE,
    imagePullSecrets: options.imagePullSecrets ?? [],
    nodeSelector: options.nodeSelector ?? {},
    tolerations: options.tolerations ?? [],
    kubeletDir: options.kubeletDir ?? '/var/lib/kubelet',
    appArmorProfile: options.appArmorProfile,
    seccompProfile: options.seccompProfile,
    topology: { rack, zone, region },
    quota: options.quota ?? 'required',
    replicas: options.replicas ?? 3,
    openshift: options.openshift ?? false,
  };
}
