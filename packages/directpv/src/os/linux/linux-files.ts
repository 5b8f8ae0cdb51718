import { HostFiles, type HostFilesOptions } from '../host-files.ts';
import type { Cancellable, Pause, PauseOptions } from '../operating-system.ts';
import { parseTreeState, TREE_STATE_FORMAT } from '../tree-state.ts';
import { PodPauses } from './pod-pauses.ts';
import type { SystemPaths } from './sysfs.ts';

/** What a tree's paths may take: millions of files. */
const TREE_BYTES = 384 * 1024 * 1024;

/** Copies of directories on a real machine, and the moments in which nobody writes to them. */
export abstract class LinuxFiles extends HostFiles {
  readonly #pauses: PodPauses;

  constructor(options: HostFilesOptions, paths: SystemPaths) {
    super(options);
    this.#pauses = new PodPauses({ paths, clock: this.clock });
  }

  /** What was copied must be on the disk before the original goes. */
  override async copyTree(from: string, to: string, options: Cancellable = {}): Promise<void> {
    await super.copyTree(from, to, options);
    await this.flush(to, options);
  }

  async cloneTree(from: string, to: string, { signal }: Cancellable = {}): Promise<void> {
    const { clock } = this;
    await this.run('cp', ['-a', '--reflink=always', '--', `${from}/.`, to], { clock, signal });
  }

  /** One program reads a tree many times faster than one call for each of its files. */
  override async treeState(path: string, { signal }: Cancellable = {}): Promise<ReadonlyMap<string, string>> {
    const now = this.clock.now() / 1000;
    const options = { clock: this.clock, signal, maxOutputBytes: TREE_BYTES };
    return parseTreeState(await this.run('find', [path, '-printf', TREE_STATE_FORMAT], options), now);
  }

  async flush(path: string, { signal }: Cancellable = {}): Promise<void> {
    await this.run('sync', ['-f', path], { clock: this.clock, signal });
  }

  pausePods(uids: readonly string[], options: PauseOptions): Promise<Pause> {
    return this.#pauses.pause(uids, options);
  }

  resumePods(uids: readonly string[]): Promise<void> {
    return this.#pauses.resume(uids);
  }
}
