// The kubelet of a machine, started as `windlass node join` says.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureKubernetesProgram } from '../../real/harness/kubernetes-program.ts';
import { run } from '../../real/harness/needs.ts';
import { ServerProcess } from '../../real/harness/server-process.ts';
import type { NodeMachine } from './node-machine.ts';
import { WINDLASS } from './windlass.ts';

export interface JoinedNodeOptions {
  readonly machine: NodeMachine;
  readonly nodeName: string;
  readonly logFile: string;
}

/** The variable by which the lane says which kubelet; without it the pinned release. */
export const KUBELET_RELEASE = 'WINDLASS_NODE_KUBELET';

/** A node by the command that was printed for it. */
export class JoinedNode implements AsyncDisposable {
  readonly #options: JoinedNodeOptions;
  #arguments: readonly string[] = [];
  #kubelet: ServerProcess | undefined = undefined;

  constructor(options: JoinedNodeOptions) {
    this.#options = options;
  }

  get pid(): number {
    return this.#kubelet?.pid ?? 0;
  }

  /** Runs what `windlass token create --print-join-command` printed, and then the kubelet as that says. */
  async join(printed: string): Promise<void> {
    const [program, ...words] = printed.trim().split(' ');
    assert.equal(program, 'windlass');
    const { machine, nodeName } = this.#options;
    const [command = '', ...args] = machine.inside(
      ...WINDLASS,
      ...words,
      `--node-name=${nodeName}`,
      `--node-ip=${machine.address}`,
      `--cri-socket=${machine.criSocket}`,
      `--kubernetes-dir=${this.#etc}`,
      `--kubelet-dir=${join(machine.folder, 'kubelet')}`,
    );
    const { stdout } = await run(command, args);
    const [, said] = /^ {2}kubelet (--(?:.|\n)*)$/m.exec(stdout) ?? [];
    assert.ok(said, stdout);
    this.#arguments = said.trim().split(/ \\\n +/);
    await this.start();
  }

  /** Starts the kubelet; resolves when it has a certificate. */
  async start(): Promise<void> {
    const { machine, logFile } = this.#options;
    await machine.makeCgroups();
    const release = process.env[KUBELET_RELEASE];
    const kubelet = await ensureKubernetesProgram('kubelet', console.error, release);
    const more = [`--cgroup-root=${machine.cgroupRoot}`, '--v=2'];
    const [program = '', ...args] = machine.inside(kubelet, ...this.#arguments, ...more);
    this.#kubelet = new ServerProcess({
      name: 'the kubelet',
      program,
      args,
      logFile,
      isReady: async () => existsSync(join(this.#etc, 'kubelet.conf')),
      readyTimeoutMs: 240_000,
    });
    await this.#kubelet.start();
  }

  async stop(): Promise<void> {
    await this.#kubelet?.stop();
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    await this.#kubelet?.kill();
  }

  /** What a guide says that one removes from a machine that is no node any more. */
  async forget(): Promise<void> {
    await rm(join(this.#etc, 'kubelet.conf'));
    await rm(join(this.#options.machine.folder, 'kubelet/pki'), { recursive: true });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  get #etc(): string {
    return join(this.#options.machine.folder, 'etc');
  }
}
