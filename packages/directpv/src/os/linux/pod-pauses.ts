import { type ChildProcess, spawn } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Clock, sleep } from '@windlass/base';
import { isNoEntry, systemCode } from '../errors.ts';
import type { Pause, PauseOptions } from '../operating-system.ts';
import type { SystemPaths } from './sysfs.ts';

/** Where control groups are: of version 2, beside those of version 1, and the old freezer. */
const ROOTS = ['fs/cgroup', 'fs/cgroup/unified', 'fs/cgroup/freezer'];
/** The groups that kubelets put between the root and the pods. */
const ABOVE_PODS = /kubepods|kubelet|besteffort|burstable|guaranteed/;
const MAX_DEPTH = 6;
/** How long a group may take to stand still: until each process of it leaves the kernel. */
const FREEZE_MS = 2_000;
const POLL_MS = 2;
/** What was written just before has a time that is over by then; see `parseTreeState`. */
const REST_MS = 25;

/**
 * Freezes control groups, and thaws them when its input ends, which the kernel sees to if this process is killed, or
 * when the time is over. `timeout` must kill: what ignores the other signals, its child ignores too.
 */
const GUARD = `
trap '' HUP INT TERM
limit=$1
shift
for file; do case $file in *.state) echo FROZEN >"$file" ;; *) echo 1 >"$file" ;; esac; done
echo paused
timeout -s KILL "$limit" cat >/dev/null
for file; do case $file in *.state) echo THAWED >"$file" ;; *) echo 0 >"$file" ;; esac; done
exit 0
`;

/** A group of processes, and how it is stopped. */
interface Freezer {
  readonly uid: string;
  /** `cgroup.freeze` or `freezer.state`. */
  readonly file: string;
  readonly isFrozen: () => Promise<boolean>;
  readonly thawed: string;
}

/** Stops pods by the freezer of their control groups. */
export class PodPauses {
  readonly #paths: SystemPaths;
  readonly #clock: Clock;

  constructor({ paths, clock }: { readonly paths: SystemPaths; readonly clock: Clock }) {
    this.#paths = paths;
    this.#clock = clock;
  }

  async pause(uids: readonly string[], { maxMs, signal }: PauseOptions): Promise<Pause> {
    const freezers = await this.#find(uids);
    const found = new Set(freezers.map(({ uid }) => uid));
    const missing = uids.filter((uid) => !found.has(uid));
    if (freezers.length === 0) return { missing, resume: () => Promise.resolve() };
    const files = freezers.map(({ file }) => file);
    const guard = spawn('sh', ['-c', GUARD, 'sh', (maxMs / 1000).toFixed(3), ...files], {
      stdio: ['pipe', 'pipe', 'ignore'],
      // Signals that are meant for this process's group are not for it.
      detached: true,
      env: { PATH: process.env['PATH'] ?? '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' },
    });
    const ended = new Promise<void>((resolve) => {
      guard.once('close', () => resolve());
      guard.once('error', () => resolve());
    });
    const resume = async (): Promise<void> => {
      guard.stdin?.end();
      await ended;
    };
    try {
      await started(guard);
      const moving = await this.#settle(freezers, signal);
      await sleep(this.#clock, REST_MS, signal);
      return { missing: [...new Set([...missing, ...moving])], resume };
    } catch (error) {
      await resume();
      throw error;
    }
  }

  async resume(uids: readonly string[]): Promise<void> {
    for (const { file, thawed, isFrozen } of await this.#find(uids))
      if (await isFrozen()) await writeFile(file, thawed).catch(ignoreGone);
  }

  /** Those of which something still moves. */
  async #settle(freezers: readonly Freezer[], signal: AbortSignal | undefined): Promise<string[]> {
    const end = this.#clock.monotonic() + FREEZE_MS;
    for (;;) {
      const moving: string[] = [];
      for (const { uid, isFrozen } of freezers) if (!(await isFrozen())) moving.push(uid);
      if (moving.length === 0 || this.#clock.monotonic() >= end) return moving;
      await sleep(this.#clock, POLL_MS, signal);
    }
  }

  async #find(uids: readonly string[]): Promise<Freezer[]> {
    if (uids.length === 0) return [];
    const own = await this.#ownGroups();
    const freezers: Freezer[] = [];
    for (const root of ROOTS) await this.#search(join(this.#paths.sys, root), uids, 0, freezers);
    // Whoever stops itself never goes on.
    return freezers.filter(({ uid }) => !own.includes(uid) && !own.includes(uid.replaceAll('-', '_')));
  }

  async #ownGroups(): Promise<string> {
    return readFile(join(this.#paths.proc, 'self/cgroup'), 'utf8').catch(() => '');
  }

  async #search(folder: string, uids: readonly string[], depth: number, found: Freezer[]): Promise<void> {
    for (const name of await directoriesIn(folder)) {
      const path = join(folder, name);
      const uid = uids.find((one) => isGroupOf(name, one));
      if (uid !== undefined) {
        const freezer = await freezerAt(path, uid);
        if (freezer !== undefined) found.push(freezer);
      } else if (depth < MAX_DEPTH && ABOVE_PODS.test(name)) await this.#search(path, uids, depth + 1, found);
    }
  }
}

/** `pod<uid>`, or as systemd has it: `kubepods-burstable-pod<uid with underscores>.slice`. */
function isGroupOf(name: string, uid: string): boolean {
  const plain = basename(name, '.slice');
  return plain === `pod${uid}` || plain.endsWith(`-pod${uid.replaceAll('-', '_')}`);
}

async function freezerAt(folder: string, uid: string): Promise<Freezer | undefined> {
  const files = new Set(await readdir(folder));
  if (files.has('cgroup.freeze')) {
    const isFrozen = async (): Promise<boolean> =>
      /^frozen 1$/m.test(await textOf(join(folder, 'cgroup.events')));
    return { uid, file: join(folder, 'cgroup.freeze'), isFrozen, thawed: '0' };
  }
  if (!files.has('freezer.state')) return undefined;
  const file = join(folder, 'freezer.state');
  const isFrozen = async (): Promise<boolean> => /^(frozen 1|FROZEN)$/m.test(await textOf(file));
  return { uid, file, isFrozen, thawed: 'THAWED' };
}

/** A group that is gone has nothing that moves. */
async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    ignoreGone(error);
    return 'frozen 1';
  }
}

function ignoreGone(error: unknown): void {
  // ENODEV: it went while it was open.
  if (!isNoEntry(error) && systemCode(error) !== 'ENODEV') throw error;
}

async function directoriesIn(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isNoEntry(error)) return [];
    throw error;
  }
}

async function started(guard: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    guard.once('error', reject);
    guard.once('close', () => resolve());
    guard.stdout?.once('data', () => resolve());
  });
}
