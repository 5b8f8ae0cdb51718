import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Served } from '@windlass/apimachinery';
import { Pod, type PodSpec } from '@windlass/apimachinery/api/core/v1';
import { Event } from '@windlass/apimachinery/api/events/v1';
import { realClock, systemRandom } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, type PodsClient } from '@windlass/client';
import { type RunningCluster, type StartClusterOptions, startCluster } from '@windlass/cluster';
import { type Containerd, IMAGE } from './containerd.ts';

export const NODE = 'this-machine';

/** A cluster whose only node is this machine, with a containerd of its own. */
export class MachineCluster implements AsyncDisposable {
  readonly cluster: RunningCluster;
  readonly client: Client;

  private constructor(cluster: RunningCluster) {
    this.cluster = cluster;
    this.client = createClient({ transport: cluster.transport(), clock: realClock, random: systemRandom });
  }

  static async start(
    containerd: Containerd,
    options: Partial<StartClusterOptions> = {},
  ): Promise<MachineCluster> {
    const cluster = await startCluster({
      dataDir: join(containerd.directory, 'data'),
      port: 0,
      controllers: ['*'],
      nodes: 0,
      machine: { endpoint: containerd.endpoint, name: NODE },
      ...options,
    });
    return new MachineCluster(cluster);
  }

  /** The agent is somebody else's. */
  static async startWithoutNode(containerd: Containerd): Promise<MachineCluster> {
    const dataDir = join(containerd.directory, 'data');
    return new MachineCluster(await startCluster({ dataDir, port: 0, controllers: ['*'], nodes: 0 }));
  }

  get pods(): PodsClient {
    return this.client.resource(Pod).namespace('default');
  }

  /** A pod with one container, unless the spec says otherwise. */
  async run(
    name: string,
    container: Partial<PodSpec['containers'][number]>,
    spec: Partial<PodSpec> = {},
  ): Promise<void> {
    await this.pods.create({
      metadata: { name },
      spec: {
        terminationGracePeriodSeconds: 1,
        automountServiceAccountToken: false,
        containers: [{ name: 'main', image: IMAGE, ...container }],
        ...spec,
      },
    });
  }

  /** The pod as soon as it is as wanted. */
  async when(name: string, what: string, holds: (pod: Served<Pod>) => boolean): Promise<Served<Pod>> {
    return until(`pod ${name} ${what}`, () => this.pods.get(name), holds);
  }

  running(name: string): Promise<Served<Pod>> {
    return this.when(
      name,
      'is ready',
      ({ status }) =>
        status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true,
    );
  }

  ended(name: string): Promise<Served<Pod>> {
    return this.when(name, 'has ended', ({ status }) =>
      ['Succeeded', 'Failed'].includes(status?.phase ?? ''),
    );
  }

  async gone(name: string): Promise<void> {
    await until(`pod ${name} is gone`, async () => {
      const found = await this.pods.list();
      return found.items.every(({ metadata }) => metadata.name !== name);
    });
  }

  logs(name: string, options: Parameters<PodsClient['logs']>[1] = {}): Promise<string> {
    return this.pods.logs(name, options).text();
  }

  /** What a command in the pod's container prints; it must end well. */
  async exec(name: string, ...command: readonly string[]): Promise<string> {
    await using process = await this.pods.exec(name, command);
    const [out = '', err = ''] = await Promise.all(
      [process.stdout, process.stderr].map(async (each) => (each === undefined ? '' : text(each))),
    );
    const { exitCode } = await process.exited;
    if (exitCode !== 0) throw new Error(`${command.join(' ')} ended with ${exitCode}: ${out}${err}`);
    return out;
  }

  /** The notes of a pod's events of this reason. */
  async events(name: string, reason: string): Promise<string[]> {
    const { items } = await this.client.resource(Event).namespace('default').list();
    return items
      .filter((event) => event.regarding?.name === name && event.reason === reason)
      .map(({ note = '' }) => note);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cluster.stop();
  }
}
