import type { ApiRequest, KubeObject, Transport } from '@windlass/apimachinery';
import { CSINode } from '@windlass/apimachinery/api/storage/v1';
import { type Client, createClient, type WatchEvent } from '@windlass/client';
import { startTestCluster, type TestCluster } from '@windlass/cluster/testing';
import {
  type DirectPVDevice,
  DirectPVInitRequest,
  DirectPVNode,
  DRIVER_NAME,
  type InitDeviceResult,
  LABELS,
  resourceDefinitions,
} from '@windlass/directpv';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { kubectlPlugin } from './kubectl-plugin.ts';

export interface Said {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

/** A cluster with our definitions, and `kubectl directpv` on it. */
export class PluginBench implements AsyncDisposable {
  readonly client: Client;
  /** `METHOD path` of every request of the plugin that writes. */
  readonly writes: string[] = [];
  readonly #cluster: TestCluster;
  readonly #plugin: Client;
  readonly #stop = new AbortController();

  private constructor(cluster: TestCluster, before: (request: ApiRequest) => Promise<void>) {
    this.#cluster = cluster;
    this.client = cluster.client;
    const inner = cluster.transport();
    const transport: Transport = {
      request: async (request) => {
        if (request.method !== 'GET') {
          await before(request);
          this.writes.push(`${request.method} ${request.path}`);
        }
        return inner.request(request);
      },
      watch: (request) => inner.watch(request),
      [Symbol.asyncDispose]: async () => {},
    };
    this.#plugin = createClient({ transport });
  }

  /** @param before runs before each write of the plugin, so that somebody else can be faster */
  static async start(before: (request: ApiRequest) => Promise<void> = async () => {}): Promise<PluginBench> {
    return new PluginBench(await startTestCluster({ definitions: resourceDefinitions }), before);
  }

  /** `kubectl directpv ARGS`, in a pipe. */
  run(...args: readonly string[]): Promise<Said> {
    return this.runOn(new RecordingTerminal(), ...args);
  }

  async runOn(terminal: RecordingTerminal, ...args: readonly string[]): Promise<Said> {
    const code = await kubectlPlugin(args, terminal, this.#stop.signal, () => Promise.resolve(this.#plugin));
    return { code, output: terminal.output, errors: terminal.errors };
  }

  /** Nodes that run the driver, as their kubelets say. */
  async addNodes(...names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.client.resource(CSINode).create({
        metadata: { name },
        spec: { drivers: [{ name: DRIVER_NAME, nodeID: name, topologyKeys: [LABELS.node] }] },
      });
  }

  /** A node that answers when it is asked to look at its devices. */
  answerDiscovery(devices: Readonly<Record<string, readonly DirectPVDevice[]>>): void {
    const nodes = this.client.resource(DirectPVNode);
    void this.#whenever(nodes.watch({ signal: this.#stop.signal }), async (node) => {
      const found = devices[node.metadata?.name ?? ''];
      if (node.spec?.refresh !== true || found === undefined) return;
      await nodes.replace({ ...node, spec: { refresh: false }, status: { devices: [...found] } });
    });
  }

  /** Nodes that answer each request to format with these results, by drive. */
  answerInit(errors: Readonly<Record<string, string>>): void {
    const requests = this.client.resource(DirectPVInitRequest);
    void this.#whenever(requests.watch({ signal: this.#stop.signal }), async (request) => {
      if (request.status.status !== 'Pending') return;
      const results = (request.spec?.devices ?? []).map(({ name }): InitDeviceResult => {
        const error = errors[name];
        return { name, ...(error !== undefined && { error }) };
      });
      await requests.replace({ ...request, status: { status: 'Processed', results } });
    });
  }

  async #whenever<T extends KubeObject>(
    events: AsyncIterable<WatchEvent<T>>,
    act: (object: T) => Promise<void>,
  ): Promise<void> {
    try {
      // What is watched is what the caller names.
      for await (const { type, object } of events)
        if (type === 'ADDED' || type === 'MODIFIED') await act(object);
    } catch (error) {
      if (!this.#stop.signal.aborted) throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#cluster[Symbol.asyncDispose]();
  }
}
