// The agent's own files of pods, apart from their volumes.
import { chmod, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Owner } from './config/labels.ts';

/** As much of what a container leaves to be read is told. */
const MAX_MESSAGE_BYTES = 4096;

export class PodFiles {
  readonly #root: string;

  /** @param root the node's folder */
  constructor(root: string) {
    this.#root = root;
  }

  /** Of all pods. */
  get logs(): string {
    return join(this.#root, 'logs');
  }

  logDirectory({ namespace, pod, uid }: Pick<Owner, 'namespace' | 'pod' | 'uid'>): string {
    return join(this.logs, `${namespace}_${pod}_${uid}`);
  }

  async makeLogDirectory(owner: Owner): Promise<void> {
    await mkdir(join(this.logDirectory(owner), owner.container), { recursive: true, mode: 0o755 });
  }

  #pod(uid: string): string {
    return join(this.#root, 'pods', uid);
  }

  /** Where a subfolder or a file of a volume is mounted to be mounted into a container from there. */
  subPaths(uid: string, container: string): string {
    return join(this.allSubPaths(uid), container);
  }

  allSubPaths(uid: string): string {
    return join(this.#pod(uid), 'volume-subpaths');
  }

  /** The `/etc/hosts` of its containers. */
  hosts(uid: string): string {
    return join(this.#pod(uid), 'etc-hosts');
  }

  async writeHosts(uid: string, text: string): Promise<void> {
    const path = this.hosts(uid);
    await mkdir(this.#pod(uid), { recursive: true, mode: 0o750 });
    // In place: containers that run have this very file mounted.
    await writeFile(path, text, { mode: 0o644 });
  }

  terminationLog(uid: string, container: string, attempt: number): string {
    return join(this.#pod(uid), 'containers', container, String(attempt));
  }

  /** An empty file that whoever the container runs as may write. */
  async makeTerminationLog(uid: string, container: string, attempt: number): Promise<string> {
    const path = this.terminationLog(uid, container, attempt);
    await mkdir(join(path, '..'), { recursive: true, mode: 0o750 });
    await writeFile(path, '');
    await chmod(path, 0o666);
    return path;
  }

  /** Empty when it is not there. */
  async readTerminationLog(uid: string, container: string, attempt: number): Promise<string> {
    try {
      const bytes = await readFile(this.terminationLog(uid, container, attempt));
      return bytes.toString('utf8', 0, MAX_MESSAGE_BYTES);
    } catch {
      return '';
    }
  }

  /** One run of a container is forgotten. */
  async removeRun(owner: Owner, attempt: number): Promise<void> {
    await rm(this.terminationLog(owner.uid, owner.container, attempt), { force: true });
    const folder = join(this.logDirectory(owner), owner.container);
    const names = await readdir(folder).catch(() => []);
    // Also what was put aside of it.
    for (const name of names)
      if (name.startsWith(`${attempt}.log`)) await rm(join(folder, name), { force: true });
  }

  /** Volumes are somebody else's: the pod's folder goes only when it is empty. */
  async removePod(owner: Pick<Owner, 'namespace' | 'pod' | 'uid'>): Promise<void> {
    await rm(this.hosts(owner.uid), { force: true });
    await rm(join(this.#pod(owner.uid), 'containers'), { recursive: true, force: true });
    await rm(this.logDirectory(owner), { recursive: true, force: true });
    await rmdir(this.#pod(owner.uid)).catch(() => {});
  }
}
