import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { Cached } from '@windlass/apimachinery';
import type { Pod } from '@windlass/apimachinery/api/core/v1';
import { type Clock, isCancelled, type Logger } from '@windlass/base';
import { GrpcError } from '@windlass/grpc';
import {
  type ContainerExit,
  type ContainerRequest,
  type ContainerRuntime,
  type Image,
  type PullRequest,
  type RunningContainer,
  StartError,
  type StartRequest,
} from '../runtime/runtime.ts';
import type { AnswerContext, NodeAnswers } from '../server/node-answers.ts';
import type { CgroupDriver } from './config/cgroup-names.ts';
import { containerConfig } from './config/container-config.ts';
import type { ClusterDns } from './config/dns.ts';
import { ownedBy, ownerOf } from './config/labels.ts';
import { ownMounts } from './config/mounts.ts';
import { userProblem } from './config/security-context.ts';
import { connectRuntime } from './connect.ts';
import { LOST, milliseconds } from './container-exit.ts';
import { volumeMounts } from './container-mounts.ts';
import { ContainerWatch } from './container-watch.ts';
import { CriAnswers } from './cri-answers.ts';
import type { CriClient } from './cri-client.ts';
import { CriContainer } from './cri-container.ts';
import { CriPods } from './cri-pods.ts';
import { endOfContainer } from './end-of-container.ts';
import type { VersionResponse } from './generated/cri.ts';
import { Housekeeping } from './housekeeping.ts';
import { findImage, pullImage } from './images.ts';
import { withoutScheme } from './known-container.ts';
import { CGROUPS } from './pod-cgroup.ts';
import { PodFiles } from './pod-files.ts';
import { RuntimeHealth } from './runtime-health.ts';
import { type Sandbox, Sandboxes } from './sandboxes.ts';
import { unmountBelow } from './sub-paths.ts';

/** Which runtime, for which node. */
export interface CriRuntimeOptions {
  /** `unix:///run/containerd/containerd.sock` */
  readonly endpoint: string;
  /** The name of the node. The runtime may have things of others, which are left alone. */
  readonly node: string;
  /** The node's own address. */
  readonly address: string;
  /** The node's folder. */
  readonly root: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How names of the cluster are found. @default pods have the resolver of the node */
  readonly dns?: ClusterDns | undefined;
  /** The log of a container that is longer is put aside. @default 10 MiB */
  readonly maxLogBytes?: number;
  /** Where the kernel shows cgroups. @default `/sys/fs/cgroup` */
  readonly cgroups?: string;
}

const DEFAULT_MESSAGE_PATH = '/dev/termination-log';
/** Making a container unpacks nothing, but a disk may be slow. */
const START_MS = 4 * 60_000;
const MAX_GRACE_MS = 30_000;

/** Containers of a container runtime of this machine, by the container runtime interface. */
export class CriRuntime implements ContainerRuntime, AsyncDisposable {
  readonly version: string;
  readonly readsFiles = true;
  readonly areProbesSlow = true;
  readonly pods: CriPods;
  readonly client: CriClient;
  readonly files: PodFiles;
  readonly #options: CriRuntimeOptions;
  readonly #sandboxes: Sandboxes;
  readonly #watch: ContainerWatch;
  readonly #health: RuntimeHealth;
  readonly #housekeeping: Housekeeping;

  private constructor(
    options: CriRuntimeOptions,
    client: CriClient,
    version: VersionResponse,
    cgroupDriver: CgroupDriver,
  ) {
    const { node, clock, logger } = options;
    this.#options = options;
    this.client = client;
    this.version = `${version.runtimeName}://${version.runtimeVersion}`;
    this.files = new PodFiles(options.root);
    this.#sandboxes = new Sandboxes({
      client,
      node,
      files: this.files,
      dns: options.dns,
      cgroupDriver,
      cgroups: options.cgroups ?? CGROUPS,
      logger,
    });
    this.pods = new CriPods({ client, node, files: this.files, sandboxes: this.#sandboxes });
    this.#watch = new ContainerWatch({ client, node, clock, logger });
    const { maxLogBytes } = options;
    this.#housekeeping = new Housekeeping({ client, node, files: this.files, clock, logger, maxLogBytes });
    this.#health = new RuntimeHealth({ client, clock, endpoint: options.endpoint });
  }

  /** @throws RuntimeEndpointError when there is no container runtime */
  static async connect(options: CriRuntimeOptions): Promise<CriRuntime> {
    const { client, version } = await connectRuntime(options.endpoint, options.clock);
    const runtime = new CriRuntime(options, client, version, await cgroupDriverOf(client));
    await runtime.#health.look();
    runtime.#housekeeping.start();
    return runtime;
  }

  get problem(): string | undefined {
    return this.#health.problem;
  }

  pull(request: PullRequest, onPulling: () => void, signal: AbortSignal): Promise<Image> {
    return pullImage(this.client, request, onPulling, signal);
  }

  async start(request: StartRequest, onExit: (exit: ContainerExit) => void): Promise<RunningContainer> {
    const { client } = this;
    const { pod, signal } = request;
    const sandbox = await this.#sandboxes.ensure(pod, signal);
    const config = await this.#config(request);
    const containerId = await this.#create(request, sandbox, config);
    request.onCreated();
    try {
      await client.startContainer({ containerId }, { timeoutMs: START_MS });
    } catch (error) {
      if (!(error instanceof GrpcError)) throw error;
      // The runtime keeps it as one that has ended, with the reason.
      const failed = this.#container(request, { id: containerId, startedAt: this.#options.clock.now() });
      this.#follow(failed, request, onExit);
      return failed;
    }
    const { status } = await client.containerStatus({ containerId });
    const startedAt = status === undefined ? this.#options.clock.now() : milliseconds(status.startedAt);
    const container = this.#container(request, { id: containerId, startedAt });
    await this.#runPostStart(request, container);
    // Not before: whoever started it is not told of its end before it knows of its start.
    this.#follow(container, request, onExit);
    return container;
  }

  async attach(
    request: ContainerRequest,
    { id, startedAt }: { readonly id: string; readonly startedAt: number },
    onExit: (exit: ContainerExit) => void,
  ): Promise<RunningContainer | undefined> {
    const container = this.#container(request, { id: withoutScheme(id), startedAt });
    this.#follow(container, request, onExit);
    return container;
  }

  /** What a node of it answers. */
  answers(context: AnswerContext): NodeAnswers {
    return new CriAnswers(this, context);
  }

  /** The runtime's name of what the pod's containers share. */
  async sandboxOf(pod: Cached<Pod>): Promise<string> {
    return (await this.#sandboxes.ensure(pod, new AbortController().signal)).id;
  }

  /** What it does every few seconds by itself: long logs are put aside, old runs are removed. */
  async tidyUp(): Promise<void> {
    await this.#housekeeping.rotateLogs();
    await this.#housekeeping.removeOldRuns();
  }

  /** Nothing that the agent has started is left, and nothing is mounted in the node's folder. */
  async removeEverything(): Promise<void> {
    await this.pods.removeOthers(new Set());
    await unmountBelow(this.#options.root);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watch[Symbol.dispose]();
    this.#health[Symbol.dispose]();
    this.#housekeeping[Symbol.dispose]();
    await this.client.close();
  }

  async #config(request: StartRequest): Promise<ReturnType<typeof containerConfig>> {
    const { pod, container, attempt, image } = request;
    const { uid } = pod.metadata;
    const { name, terminationMessagePath: path = DEFAULT_MESSAGE_PATH } = container;
    await this.#checkUser(request);
    const environment = await request.environment();
    const mounts = await volumeMounts(request, environment, this.files);
    const file = await this.files.makeTerminationLog(uid, name, attempt);
    const owner = { uid, namespace: pod.metadata.namespace, pod: pod.metadata.name, container: name };
    await this.files.makeLogDirectory(owner);
    return containerConfig(pod, container, {
      attempt,
      imageId: image.ref ?? image.image,
      environment,
      mounts: [
        ...mounts,
        ...ownMounts(container.volumeMounts ?? [], {
          hosts: this.files.hosts(uid),
          terminationLog: { path, file },
        }),
      ],
      logPath: join(name, `${attempt}.log`),
      machineMemory: totalmem(),
      targetId: await this.#targetOf(request),
    });
  }

  async #checkUser({ pod, container, image, signal }: StartRequest): Promise<void> {
    const found = await findImage(this.client, image.ref ?? image.image, signal);
    const user = { uid: found?.uid?.value, username: found?.username ?? '' };
    const problem = userProblem(pod, container, user);
    if (problem !== undefined) throw new StartError('CreateContainerConfigError', problem);
  }

  /** The container whose processes an ephemeral one wants to see; empty when it names none. */
  async #targetOf({ pod, container, signal }: StartRequest): Promise<string> {
    const ephemeral = pod.spec?.ephemeralContainers?.find(({ name }) => name === container.name);
    const target = ephemeral?.targetContainerName ?? '';
    if (target === '') return '';
    const { containers } = await this.client.listContainers(
      { filter: { labelSelector: ownedBy(this.#options.node, pod.metadata.uid) } },
      { signal },
    );
    const found = containers.find(
      ({ labels, state }) => ownerOf(labels).container === target && state === 'CONTAINER_RUNNING',
    );
    if (found === undefined)
      throw new StartError('CreateContainerConfigError', `target container "${target}" does not run`);
    return found.id;
  }

  /** @throws StartError */
  async #create(
    { pod, signal }: StartRequest,
    sandbox: Sandbox,
    config: ReturnType<typeof containerConfig>,
  ): Promise<string> {
    await this.#removeUnstarted(pod, config.metadata?.name ?? '');
    try {
      const request = { podSandboxId: sandbox.id, config, sandboxConfig: sandbox.config };
      return (await this.client.createContainer(request, { timeoutMs: START_MS, signal })).containerId;
    } catch (error) {
      if (!(error instanceof GrpcError) || isCancelled(error)) throw error;
      throw new StartError('CreateContainerError', error.message, error);
    }
  }

  /** One whose start was never tried holds the name of the one that is to come. */
  async #removeUnstarted(pod: Cached<Pod>, name: string): Promise<void> {
    const labelSelector = ownedBy(this.#options.node, pod.metadata.uid);
    const { containers } = await this.client.listContainers({
      filter: { labelSelector, state: { state: 'CONTAINER_CREATED' } },
    });
    for (const { id, labels } of containers)
      if (ownerOf(labels).container === name) await this.client.removeContainer({ containerId: id });
  }

  #container(
    request: ContainerRequest & Partial<Pick<StartRequest, 'onHookFailed'>>,
    { id, startedAt }: { readonly id: string; readonly startedAt: number },
  ): CriContainer {
    const { clock, logger } = this.#options;
    return new CriContainer({
      client: this.client,
      clock,
      logger,
      id,
      startedAt,
      pod: request.pod,
      container: request.container,
      address: async () => (await this.#sandboxes.addressOf(request.pod)) ?? this.#options.address,
      limitPod: (pod) => this.#sandboxes.limit(pod),
      look: () => this.#watch.look(),
      onHookFailed: (hook, message) => request.onHookFailed?.(hook, message),
    });
  }

  #follow(container: CriContainer, { pod }: ContainerRequest, onExit: (exit: ContainerExit) => void): void {
    this.#watch.add(container.runtimeId, async (status) => {
      container.ended();
      onExit(status === undefined ? LOST : await endOfContainer(status, pod, this.files));
    });
  }

  /** A container whose hook fails does not go on. */
  async #runPostStart(request: StartRequest, container: CriContainer): Promise<void> {
    const problem = await container.runPostStart(request.signal);
    if (problem === undefined || request.signal.aborted) return;
    request.onHookFailed('PostStart', problem);
    const grace = request.pod.spec?.terminationGracePeriodSeconds;
    container.stop(grace === undefined ? MAX_GRACE_MS : grace * 1000);
  }
}

/** Runtimes before 2024 do not say, and are set up by the distributions to make cgroups by themselves. */
async function cgroupDriverOf(client: CriClient): Promise<CgroupDriver> {
  try {
    const { linux } = await client.runtimeConfig({});
    return linux?.cgroupDriver === 'SYSTEMD' ? 'systemd' : 'cgroupfs';
  } catch (error) {
    if (error instanceof GrpcError && error.code === 'UNIMPLEMENTED') return 'cgroupfs';
    throw error;
  }
}
