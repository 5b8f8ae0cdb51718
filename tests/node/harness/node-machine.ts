// A machine that can become a node: a network namespace of its own, joined to this machine by one cable, with a
// container runtime and a kubelet in it. Nothing of this machine's own runtime, network or kubelet is touched.
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '@windlass/base/testing/until';
import { run } from '../../real/harness/needs.ts';
import { ServerProcess } from '../../real/harness/server-process.ts';
import { cniConfig, containerdConfig, PAUSE_IMAGE } from './runtime-config.ts';

const CGROUPS = '/sys/fs/cgroup';

export interface NodeMachineOptions {
  /** Tells the machines of this computer apart; of at most 8 letters and digits. */
  readonly name: string;
  /** The second part of its addresses, `10.N.0.2` and of its pods. */
  readonly net: number;
}

export class NodeMachine implements AsyncDisposable {
  readonly name: string;
  /** This machine's end of the cable: where an API server may listen. */
  readonly hostAddress: string;
  /** The node's end. */
  readonly address: string;
  /** Short: paths of sockets have a limit. */
  readonly folder: string;
  readonly #namespace: string;
  readonly #net: number;
  readonly #containerd: ServerProcess;

  private constructor({ name, net }: NodeMachineOptions, folder: string) {
    this.name = name;
    this.folder = folder;
    this.#net = net;
    this.#namespace = `windlass-${name}`;
    this.hostAddress = `10.${net}.0.1`;
    this.address = `10.${net}.0.2`;
    const [program = '', ...args] = this.inside('containerd', '--config', join(folder, 'containerd.toml'));
    this.#containerd = new ServerProcess({
      name: 'containerd',
      program,
      args,
      logFile: join(folder, 'containerd.log'),
      isReady: async () => (await this.ctr('version')) !== '',
    });
  }

  static async make(options: NodeMachineOptions, images: readonly Buffer[]): Promise<NodeMachine> {
    const machine = new NodeMachine(options, await mkdtemp('/tmp/wn-'));
    try {
      await machine.#prepare();
      await machine.#containerd.start();
      for (const [index, image] of images.entries()) {
        const file = join(machine.folder, `image-${index}.tar`);
        await writeFile(file, image);
        await machine.ctr('images', 'import', file);
        await rm(file);
      }
      return machine;
    } catch (error) {
      await machine[Symbol.asyncDispose]();
      throw error;
    }
  }

  get criSocket(): string {
    return `unix://${this.#socket}`;
  }

  get #network(): string {
    return `/run/netns/${this.#namespace}`;
  }

  get #socket(): string {
    return join(this.folder, 'containerd.sock');
  }

  /** Below it the kubelet makes its control groups. */
  get cgroupRoot(): string {
    return `/lane-node-${this.name}`;
  }

  /** A command line that runs in the machine's network. */
  inside(...command: readonly string[]): string[] {
    return ['nsenter', `--net=${this.#network}`, '--', ...command];
  }

  /** What containerd's own tool prints. */
  async ctr(...args: readonly string[]): Promise<string> {
    const { stdout } = await run('ctr', ['--address', this.#socket, '--namespace', 'k8s.io', ...args]);
    return stdout;
  }

  async #prepare(): Promise<void> {
    const config = join(this.folder, 'cni');
    await mkdir(config);
    await writeFile(join(config, '10-bridge.conflist'), cniConfig(this.#net));
    await writeFile(
      join(this.folder, 'containerd.toml'),
      containerdConfig({ folder: this.folder, cniFolder: config, pauseImage: PAUSE_IMAGE }),
    );
    const [ours, theirs] = [`w${this.name}h`, `w${this.name}n`];
    await ip('netns', 'add', this.#namespace);
    await ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', this.#namespace);
    await ip('address', 'add', `${this.hostAddress}/30`, 'dev', ours);
    await ip('link', 'set', ours, 'up');
    const within = (...args: string[]): Promise<void> => ip('-n', this.#namespace, ...args);
    await within('link', 'set', 'lo', 'up');
    await within('address', 'add', `${this.address}/30`, 'dev', theirs);
    await within('link', 'set', theirs, 'up');
    await within('route', 'add', 'default', 'via', this.hostAddress);
  }

  /** A kubelet wants its group to be there in every tree. */
  async makeCgroups(): Promise<void> {
    for (const controller of await controllers())
      await mkdir(join(controller, this.cgroupRoot), { recursive: true });
  }

  /** Everything that was made is gone: containers, mounts, control groups, network. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#containerd.stop();
    await this.#endProcesses();
    for (const point of (await this.#mountPoints()).toReversed())
      await run('umount', ['--lazy', point]).catch(() => {});
    // The cable goes with its other end, but later.
    await run('ip', ['link', 'delete', `w${this.name}h`]).catch(() => {});
    await run('ip', ['netns', 'delete', this.#namespace]).catch(() => {});
    for (const controller of await controllers()) await removeGroups(join(controller, this.cgroupRoot));
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Shims outlive containerd, and containers their shims: what is in our network or groups, or names our folder. */
  async #endProcesses(): Promise<void> {
    await until('the processes of the node are gone', async () => {
      const pids = await this.#processes();
      for (const pid of pids) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended.
        }
      }
      return pids.length === 0;
    });
  }

  async #processes(): Promise<number[]> {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const network = await stat(this.#network).catch(() => undefined);
    const ours = await Promise.all(
      pids.map(async (pid) => {
        if (pid === process.pid) return false;
        const [groups, command, itsNetwork] = await Promise.all([
          readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => ''),
          readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
          stat(`/proc/${pid}/ns/net`).catch(() => undefined),
        ]);
        if (network !== undefined && itsNetwork?.ino === network.ino) return true;
        return command.includes(`${this.folder}/`) || groups.includes(`:${this.cgroupRoot}/`);
      }),
    );
    return pids.filter((_, index) => ours[index]);
  }

  async #mountPoints(): Promise<string[]> {
    const lines = (await readFile('/proc/self/mountinfo', 'utf8')).trimEnd().split('\n');
    return lines
      .map((line) => line.split(' ')[4] ?? '')
      .filter((point) => point.startsWith(`${this.folder}/`));
  }
}

/** The trees of control groups: one of version 2, or one for each controller. */
async function controllers(): Promise<string[]> {
  const names = await readdir(CGROUPS);
  return names.includes('cgroup.controllers') ? [CGROUPS] : names.map((name) => join(CGROUPS, name));
}

async function ip(...args: readonly string[]): Promise<void> {
  await run('ip', args);
}

/** Groups are removed from the innermost. */
async function removeGroups(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await removeGroups(join(folder, entry.name));
  await run('rmdir', [folder]).catch(() => {});
}
