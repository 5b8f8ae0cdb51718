import { readFile } from 'node:fs/promises';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import type { Logger } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import { StartError } from '../runtime/runtime.ts';
import type { CgroupDriver } from './config/cgroup-names.ts';
import { type ClusterDns, parseResolver, podResolver, type Resolver } from './config/dns.ts';
import { nodeHostsFile, podHostsFile } from './config/hosts-file.ts';
import { ownedBy, ownerOf } from './config/labels.ts';
import { sandboxConfig } from './config/sandbox-config.ts';
import type { CriClient } from './cri-client.ts';
import type { PodSandbox, PodSandboxStatus } from './generated/cri.ts';
import { limitPod, removePodCgroup } from './pod-cgroup.ts';
import type { PodFiles } from './pod-files.ts';

/** Networks may take their time. */
const SANDBOX_MS = 4 * 60_000;

export interface SandboxesOptions {
  readonly client: CriClient;
  readonly node: string;
  readonly files: PodFiles;
  readonly dns: ClusterDns | undefined;
  readonly cgroupDriver: CgroupDriver;
  /** Where the kernel shows cgroups. */
  readonly cgroups: string;
  readonly logger: Logger;
}

/** What a pod's containers share, as it is now. */
export interface Sandbox {
  readonly id: string;
  readonly ips: readonly string[];
  readonly config: ReturnType<typeof sandboxConfig>;
}

/** The sandboxes of pods. Each is found again by its labels, so that an agent may be killed at any time. */
export class Sandboxes {
  readonly #options: SandboxesOptions;
  /** By the pod's uid. */
  readonly #known = new Map<string, Sandbox>();
  readonly #ended = new Set<string>();

  constructor(options: SandboxesOptions) {
    this.#options = options;
  }

  /** The one that is ready, found or made. @throws StartError */
  async ensure(pod: Cached<Pod>, signal: AbortSignal): Promise<Sandbox> {
    try {
      return (await this.#findReady(pod, signal)) ?? (await this.#make(pod, signal));
    } catch (error) {
      if (!(error instanceof GrpcError) || error.code === 'CANCELLED') throw error;
      throw new StartError('CreatePodSandboxError', error.message, error);
    }
  }

  /** What the pod as a whole may take. */
  async limit(pod: Cached<Pod>): Promise<void> {
    const { cgroups, cgroupDriver, logger } = this.#options;
    await limitPod(pod, { cgroups, driver: cgroupDriver, logger });
  }

  /** Undefined for a pod in the network of the node, and without a sandbox. */
  async addressOf({ metadata }: Cached<Pod>): Promise<string | undefined> {
    const known = this.#known.get(metadata.uid);
    if (known !== undefined) return known.ips[0];
    const [newest] = await this.#list(metadata.uid);
    if (newest === undefined) return undefined;
    const { status } = await this.#options.client.podSandboxStatus({ podSandboxId: newest.id });
    return addressesOf(status)[0];
  }

  /** Stops what is there, and gives back the addresses. Idempotent. */
  async end(uid: string): Promise<void> {
    if (this.#ended.has(uid)) return;
    const { client } = this.#options;
    for (const { id } of await this.#list(uid))
      await client.stopPodSandbox({ podSandboxId: id }, { timeoutMs: SANDBOX_MS });
    this.#known.delete(uid);
    this.#ended.add(uid);
  }

  /** Removes them with all their containers, and what the agent keeps for the pod. */
  async remove(uid: string): Promise<void> {
    const { client, files } = this.#options;
    for (const { id, labels } of await this.#list(uid)) {
      await client.stopPodSandbox({ podSandboxId: id }, { timeoutMs: SANDBOX_MS });
      await client.removePodSandbox({ podSandboxId: id }, { timeoutMs: SANDBOX_MS });
      await files.removePod(ownerOf(labels));
      await removePodCgroup(uid, this.#options.cgroups);
    }
    this.#known.delete(uid);
    this.#ended.delete(uid);
  }

  /** The uids of all pods that have one. */
  async uids(): Promise<Set<string>> {
    return new Set((await this.#list()).map(({ labels }) => ownerOf(labels).uid));
  }

  async #list(uid?: string): Promise<readonly PodSandbox[]> {
    const { client, node } = this.#options;
    const { items } = await client.listPodSandbox({ filter: { labelSelector: ownedBy(node, uid) } });
    return items.toSorted((a, b) => b.createdAt - a.createdAt);
  }

  async #findReady(pod: Cached<Pod>, signal: AbortSignal): Promise<Sandbox | undefined> {
    const { uid } = pod.metadata;
    const { client } = this.#options;
    const [newest, ...older] = await this.#list(uid);
    // A sandbox that is not ready keeps its containers, with what they have printed, until the pod goes.
    for (const { id, state } of older)
      if (state === 'SANDBOX_READY') await client.stopPodSandbox({ podSandboxId: id }, { signal });
    if (newest?.state !== 'SANDBOX_READY') return undefined;
    const known = this.#known.get(uid);
    if (known?.id === newest.id) return known;
    const { status } = await client.podSandboxStatus({ podSandboxId: newest.id }, { signal });
    const ips = addressesOf(status);
    // One whose network is gone with the machine's last start is of no use.
    if (status === undefined || (ips.length === 0 && pod.spec?.hostNetwork !== true)) {
      await client.stopPodSandbox({ podSandboxId: newest.id }, { signal });
      return undefined;
    }
    return this.#keep(pod, newest.id, ips, await this.#config(pod, newest.metadata?.attempt ?? 0));
  }

  async #make(pod: Cached<Pod>, signal: AbortSignal): Promise<Sandbox> {
    const { client } = this.#options;
    const { uid } = pod.metadata;
    const former = await this.#list(uid);
    const attempt = Math.max(-1, ...former.map(({ metadata }) => metadata?.attempt ?? 0)) + 1;
    const config = await this.#config(pod, attempt);
    const { name, namespace } = pod.metadata;
    await this.#options.files.makeLogDirectory({ uid, namespace, pod: name, container: '' });
    const { podSandboxId } = await client.runPodSandbox(
      // Classes name handlers; who names none gets the runtime's own.
      { config, runtimeHandler: '' },
      { signal, timeoutMs: SANDBOX_MS },
    );
    await this.limit(pod);
    const { status } = await client.podSandboxStatus({ podSandboxId }, { signal });
    return this.#keep(pod, podSandboxId, addressesOf(status), config);
  }

  async #keep(
    pod: Cached<Pod>,
    id: string,
    ips: readonly string[],
    config: ReturnType<typeof sandboxConfig>,
  ): Promise<Sandbox> {
    const isOnNode = pod.spec?.hostNetwork === true;
    const sandbox = { id, ips: isOnNode ? [] : ips, config };
    const { dns, files } = this.#options;
    const text = isOnNode
      ? nodeHostsFile(pod, await readOr('/etc/hosts', ''))
      : podHostsFile(pod, ips, dns?.domain ?? DEFAULT_DOMAIN);
    await files.writeHosts(pod.metadata.uid, text);
    this.#known.set(pod.metadata.uid, sandbox);
    this.#ended.delete(pod.metadata.uid);
    return sandbox;
  }

  async #config(pod: Cached<Pod>, attempt: number): Promise<ReturnType<typeof sandboxConfig>> {
    const { files, dns, cgroupDriver } = this.#options;
    const { name, namespace, uid } = pod.metadata;
    return sandboxConfig(pod, {
      attempt,
      logDirectory: files.logDirectory({ namespace, pod: name, uid }),
      resolver: podResolver(pod, await hostResolver(), dns),
      domain: dns?.domain ?? DEFAULT_DOMAIN,
      cgroupDriver,
    });
  }
}

const DEFAULT_DOMAIN = 'cluster.local';

function addressesOf(status: PodSandboxStatus | undefined): string[] {
  const { ip = '', additionalIps = [] } = status?.network ?? {};
  return [ip, ...additionalIps.map((each) => each.ip)].filter((address) => address !== '');
}

async function hostResolver(): Promise<Resolver> {
  return parseResolver(await readOr('/etc/resolv.conf', ''));
}

async function readOr(path: string, otherwise: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return otherwise;
  }
}
