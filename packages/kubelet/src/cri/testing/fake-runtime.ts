// A container runtime in memory, behind a real socket: what it is asked, and what it says, are the protocol's.
import { join } from 'node:path';
import { type Clock, silentLogger } from '@windlass/base';
import {
  GrpcError,
  GrpcServer,
  handlersOf,
  type MessageInit,
  type ServiceOf,
  serverDefaults,
} from '@windlass/grpc';
import { CRI_METHODS } from '../cri-client.ts';
import type {
  Container,
  ContainerConfig,
  ContainerStatus,
  ExecSyncRequest,
  ExecSyncResponse,
  Image,
  ImageServiceMethods,
  PodSandbox,
  PodSandboxConfig,
  RuntimeServiceMethods,
} from '../generated/cri.ts';

const NANOSECONDS = 1_000_000;

type Status = { -readonly [Key in keyof MessageInit<ContainerStatus>]: MessageInit<ContainerStatus>[Key] } & {
  id: string;
};
interface FakeSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly createdAt: number;
  isReady: boolean;
}
interface FakeContainer {
  readonly sandbox: string;
  readonly config: ContainerConfig;
  status: Status;
}

export class FakeRuntime implements AsyncDisposable {
  readonly sandboxes = new Map<string, FakeSandbox>();
  readonly containers = new Map<string, FakeContainer>();
  readonly images = new Map<string, MessageInit<Image>>();
  /** What was asked that changes something, in order: `start a`, `stop a in 30`. */
  readonly story: string[] = [];
  /** What each method is to fail with from now on. */
  readonly failures = new Map<string, GrpcError>();
  /** What commands say. */
  exec: (request: ExecSyncRequest) => Promise<MessageInit<ExecSyncResponse>> = async () => ({ exitCode: 0 });
  /** Whether a container ends when it is told to. */
  isDeaf = false;
  networkProblem = '';
  readonly #clock: Clock;
  #server: GrpcServer | undefined;
  #count = 0;

  private constructor(clock: Clock) {
    this.#clock = clock;
  }

  static async start(directory: string, clock: Clock): Promise<FakeRuntime> {
    const runtime = new FakeRuntime(clock);
    runtime.#server = await GrpcServer.start({
      ...serverDefaults({ socketPath: join(directory, 'cri.sock'), graceMs: 10 }),
      logger: silentLogger,
      handlers: handlersOf(CRI_METHODS, runtime.#service()),
      observe: () => {},
    });
    return runtime;
  }

  get endpoint(): string {
    return `unix://${this.#server?.socketPath ?? ''}`;
  }

  /** The newest run of a container. */
  container(name: string): FakeContainer {
    const found = [...this.containers.values()].findLast(({ config }) => config.metadata?.name === name);
    if (found === undefined) throw new Error(`there is no container ${name}`);
    return found;
  }

  /** A container ends by itself. */
  end(name: string, exitCode: number, reason = ''): void {
    this.#end(this.container(name), exitCode, reason);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.stop();
  }

  #end({ status }: FakeContainer, exitCode: number, reason = ''): void {
    if (status.state === 'CONTAINER_EXITED') return;
    Object.assign(status, { state: 'CONTAINER_EXITED', exitCode, reason, finishedAt: this.#now() });
  }

  #now(): number {
    return this.#clock.now() * NANOSECONDS;
  }

  #id(): string {
    return String(++this.#count).padStart(8, '0');
  }

  #check(method: string): void {
    const failure = this.failures.get(method);
    if (failure !== undefined) throw failure;
  }

  #require(id: string): FakeContainer {
    const found = this.containers.get(id);
    if (found === undefined) throw new GrpcError('NOT_FOUND', `no container ${id}`);
    return found;
  }

  #service(): ServiceOf<RuntimeServiceMethods> & ServiceOf<ImageServiceMethods> {
    return {
      version: async () => ({
        version: '0.1.0',
        runtimeName: 'fake',
        runtimeVersion: '1',
        runtimeApiVersion: 'v1',
      }),
      status: async () => ({
        status: {
          conditions: [
            { type: 'RuntimeReady', status: true },
            { type: 'NetworkReady', status: this.networkProblem === '', message: this.networkProblem },
          ],
        },
        info: { config: '{"confDir": "/somewhere/net.d", "sandboxImage": "pause:1"}' },
      }),
      ...this.#sandboxMethods(),
      ...this.#containerMethods(),
      imageStatus: async ({ image }) => {
        const found = this.images.get(image?.image ?? '');
        return found === undefined ? {} : { image: found };
      },
      pullImage: async ({ image, auth }) => {
        const name = image?.image ?? '';
        this.story.push(`pull ${name}${auth === undefined ? '' : ` as ${auth.username}`}`);
        this.#check('pullImage');
        const pulled = { id: `sha256:${name}`, repoTags: [name], size: 5 };
        this.images.set(name, pulled);
        this.images.set(pulled.id, pulled);
        return { imageRef: pulled.id };
      },
    };
  }

  #sandboxMethods(): ServiceOf<RuntimeServiceMethods> {
    return {
      runPodSandbox: async ({ config }) => {
        this.#check('runPodSandbox');
        if (config === undefined) throw new GrpcError('INVALID_ARGUMENT', 'no config');
        const id = this.#id();
        this.story.push(`sandbox ${config.metadata?.name} ${config.metadata?.attempt}`);
        this.sandboxes.set(id, { id, config, createdAt: this.#now() + this.#count, isReady: true });
        return { podSandboxId: id };
      },
      listPodSandbox: async ({ filter }) => ({
        items: [...this.sandboxes.values()]
          .map(sandboxItem)
          .filter(({ labels }) => matches(labels, filter?.labelSelector)),
      }),
      podSandboxStatus: async ({ podSandboxId }) => {
        const found = this.sandboxes.get(podSandboxId);
        if (found === undefined) throw new GrpcError('NOT_FOUND', 'no sandbox');
        return { status: { ...sandboxItem(found), network: { ip: `10.9.0.${Number(podSandboxId)}` } } };
      },
      stopPodSandbox: async ({ podSandboxId }) => {
        this.#check('stopPodSandbox');
        const found = this.sandboxes.get(podSandboxId);
        if (found?.isReady === true) this.story.push(`stop sandbox ${found.config.metadata?.name}`);
        if (found !== undefined) found.isReady = false;
        for (const container of this.containers.values())
          if (container.sandbox === podSandboxId) this.#end(container, 137);
        return {};
      },
      removePodSandbox: async ({ podSandboxId }) => {
        this.sandboxes.delete(podSandboxId);
        for (const [id, { sandbox }] of this.containers)
          if (sandbox === podSandboxId) this.containers.delete(id);
        return {};
      },
    };
  }

  #containerMethods(): ServiceOf<RuntimeServiceMethods> {
    return {
      createContainer: async ({ podSandboxId, config }) => {
        this.#check('createContainer');
        if (config === undefined) throw new GrpcError('INVALID_ARGUMENT', 'no config');
        const id = this.#id();
        const { metadata, labels } = config;
        this.story.push(`create ${metadata?.name} ${metadata?.attempt}`);
        const status: Status = {
          id,
          labels,
          state: 'CONTAINER_CREATED',
          createdAt: this.#now() + this.#count,
        };
        Object.assign(status, { metadata, image: config.image, imageRef: config.image?.image });
        this.containers.set(id, { sandbox: podSandboxId, config, status });
        return { containerId: id };
      },
      startContainer: async ({ containerId }) => {
        const found = this.#require(containerId);
        const failure = this.failures.get('startContainer');
        if (failure !== undefined) {
          this.#end(found, 128, 'StartError');
          found.status.message = failure.message;
          throw failure;
        }
        this.story.push(`start ${found.config.metadata?.name}`);
        Object.assign(found.status, { state: 'CONTAINER_RUNNING', startedAt: this.#now() });
        return {};
      },
      stopContainer: async ({ containerId, timeout }) => {
        const found = this.#require(containerId);
        this.story.push(`stop ${found.config.metadata?.name} in ${timeout}`);
        this.#check('stopContainer');
        if (!this.isDeaf || timeout === 0) this.#end(found, timeout === 0 ? 137 : 143);
        return {};
      },
      removeContainer: async ({ containerId }) => {
        const found = this.containers.get(containerId);
        if (found !== undefined) this.story.push(`remove ${found.config.metadata?.name}`);
        this.containers.delete(containerId);
        return {};
      },
      listContainers: async ({ filter }) => {
        this.#check('listContainers');
        const wanted = filter?.state?.state;
        return {
          containers: [...this.containers.values()]
            .map(containerItem)
            .filter(
              ({ labels, state }) => matches(labels, filter?.labelSelector) && (wanted ?? state) === state,
            ),
        };
      },
      containerStatus: async ({ containerId }) => ({ status: this.#require(containerId).status }),
      updateContainerResources: async ({ containerId, linux }) => {
        this.story.push(`resize ${this.#require(containerId).config.metadata?.name} ${linux?.cpuQuota}`);
        return {};
      },
      execSync: (request) => this.exec(request),
    };
  }
}

function sandboxItem({ id, config, createdAt, isReady }: FakeSandbox): MessageInit<PodSandbox> {
  const { metadata, labels } = config;
  return { id, metadata, labels, createdAt, state: isReady ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY' };
}

function containerItem({ status, sandbox }: FakeContainer): MessageInit<Container> {
  const { id, metadata, image, imageRef, state, createdAt, labels } = status;
  return { id, metadata, image, imageRef, state, createdAt, labels, podSandboxId: sandbox };
}

function matches(
  labels: Readonly<Record<string, string | undefined>> | undefined,
  selector: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(selector).every(([name, value]) => labels?.[name] === value);
}
