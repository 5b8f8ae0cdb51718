// A containerd of one's own: its state, socket and network are in a temporary folder, and nothing of it stays.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { realClock, silentLogger } from '@windlass/base';
import { until } from '@windlass/base/testing/until';
import { CriRuntime } from '@windlass/kubelet';
import { type ImageSpec, writeImage } from './image-archive.ts';
import { folderPrefix, unmountBelow } from './leftovers.ts';

const run = promisify(execFile);
const BUSYBOX = '/bin/busybox';
const PAUSE: ImageSpec = { name: 'windlass.test/pause:1', entrypoint: ['/bin/sleep', '2147483647'] };
const IMAGES: readonly ImageSpec[] = [
  PAUSE,
  { name: 'windlass.test/busybox:1', command: ['/bin/sh'], environment: ['FROM_IMAGE=yes'] },
  { name: 'windlass.test/nobody:1', command: ['/bin/sh'], user: 'nobody' },
  { name: 'windlass.test/uid:1', command: ['/bin/sh'], user: '1234' },
];

/** The image that most tests take. */
export const IMAGE = 'windlass.test/busybox:1';

export interface ContainerdOptions {
  /** Without it, containerd finds no network for pods. @default true */
  readonly hasNetwork?: boolean;
  /** @default true */
  readonly hasCri?: boolean;
}

export class Containerd implements AsyncDisposable {
  readonly directory: string;
  #child: ChildProcess | undefined;
  #log = '';
  readonly #bridge: string;

  private constructor(directory: string) {
    this.directory = directory;
    this.#bridge = `wl${directory.slice(-6).toLowerCase()}`;
  }

  static async start(options: ContainerdOptions = {}): Promise<Containerd> {
    const containerd = new Containerd(await mkdtemp(join(tmpdir(), folderPrefix())));
    try {
      await containerd.#configure(options);
      await containerd.boot();
      if (options.hasCri !== false) for (const image of IMAGES) await containerd.addImage(image);
      return containerd;
    } catch (error) {
      await containerd[Symbol.asyncDispose]();
      throw new Error(`containerd did not start: ${String(error)}\n${containerd.#log.slice(-4000)}`, {
        cause: error,
      });
    }
  }

  get socket(): string {
    return join(this.directory, 'c.sock');
  }

  get endpoint(): string {
    return `unix://${this.socket}`;
  }

  get networkFolder(): string {
    return join(this.directory, 'cni');
  }

  /** Starts the program, also again after `kill`. */
  async boot(): Promise<void> {
    const child = spawn('containerd', ['--config', join(this.directory, 'config.toml')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.#log = `${this.#log}${chunk.toString()}`.slice(-100_000);
    });
    await until('containerd answers', async () => {
      await this.ctr('version');
      return true;
    });
  }

  /** Its containers run on. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
    });
    child.kill('SIGKILL');
    await ended;
  }

  async addImage(spec: ImageSpec): Promise<void> {
    const path = join(this.directory, 'image.tar');
    await writeImage(path, BUSYBOX, spec);
    await this.ctr('images', 'import', path);
  }

  /** What ctr prints. */
  async ctr(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('ctr', ['--address', this.socket, '--namespace', 'k8s.io', ...args]);
    return stdout;
  }

  /** The ids of containers that run, sandboxes among them. */
  async running(): Promise<string[]> {
    const lines = (await this.ctr('tasks', 'list')).split('\n').slice(1);
    return lines.filter((line) => line.includes('RUNNING')).map((line) => line.split(/\s+/)[0] ?? '');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child !== undefined) await this.#endContainers().catch(() => {});
    await this.kill();
    await unmountBelow(this.directory);
    await run('ip', ['link', 'delete', this.#bridge]).catch(() => {});
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }

  /** Through the runtime, which gives back the network of each: its namespace, its address, its rules. */
  async #endContainers(): Promise<void> {
    await using runtime = await CriRuntime.connect({
      endpoint: this.endpoint,
      node: 'none',
      address: '127.0.0.1',
      root: this.directory,
      clock: realClock,
      logger: silentLogger,
    });
    const { items } = await runtime.client.listPodSandbox({});
    for (const { id: podSandboxId } of items) {
      await runtime.client.stopPodSandbox({ podSandboxId });
      await runtime.client.removePodSandbox({ podSandboxId });
    }
  }

  async #configure({ hasNetwork = true, hasCri = true }: ContainerdOptions): Promise<void> {
    const { directory } = this;
    await mkdir(this.networkFolder);
    if (hasNetwork) await this.addNetwork();
    await writeFile(
      join(directory, 'config.toml'),
      `version = 2
root = "${directory}/root"
state = "${directory}/state"
${hasCri ? '' : 'disabled_plugins = ["io.containerd.grpc.v1.cri"]'}
[grpc]
  address = "${this.socket}"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "${PAUSE.name}"
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${this.networkFolder}"
`,
    );
  }

  /** A bridge with a range that no other test takes at the same time. */
  async addNetwork(): Promise<void> {
    const part = process.pid % 200;
    await writeFile(
      join(this.networkFolder, '10-bridge.conflist'),
      JSON.stringify({
        cniVersion: '0.4.0',
        name: this.#bridge,
        plugins: [
          {
            type: 'bridge',
            bridge: this.#bridge,
            isGateway: true,
            hairpinMode: true,
            ipam: {
              type: 'host-local',
              dataDir: join(this.directory, 'ipam'),
              ranges: [[{ subnet: `10.223.${part}.0/24` }]],
              routes: [{ dst: '0.0.0.0/0' }],
            },
          },
          { type: 'portmap', capabilities: { portMappings: true } },
        ],
      }),
    );
  }
}
