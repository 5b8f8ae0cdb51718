import {
  type Cached,
  compareResourceVersions,
  isConflict,
  isNotFound,
  isResourceVersion,
} from '@windlass/apimachinery';
import { type Clock, type Random, sleep, throwIfAborted, toError } from '@windlass/base';
import type { ResourceClient } from '@windlass/client';
import { DriveIndex, type DriveQuery, type RecordedBytes, settle } from '../accounting/index.ts';
import { type DirectPVDrive, volumesOfDrive } from '../resources/index.ts';
import { ContentionError, DriveGoneError } from './errors.ts';
import type { ControllerMetrics } from './metrics.ts';

type Drive = Cached<DirectPVDrive>;

export interface DriveChange {
  /**
   * The drive as it is to be; the very drive when there is nothing to do. Called again with the newest state when
   * somebody else wrote first, or when nobody knows whether a write arrived: it must then recognise its own work.
   * What it throws fails this change alone.
   */
  readonly apply: (drive: Drive) => Drive;
  /** Called before `apply`, each time: what it reads is not older than the drive that `apply` is given. */
  readonly prepare?: () => Promise<void>;
  /** Bytes that others are not to be offered while the change is under way. @default 0 */
  readonly withhold?: number;
  readonly signal?: AbortSignal;
}

interface Waiting extends DriveChange {
  readonly done: PromiseWithResolvers<Drive>;
  /** Its caller has been told that it cannot be: it must not be made later, when the batch is tried again. */
  isRefused: boolean;
}

interface DriveState {
  /** The newest state that we know of. */
  drive: Drive;
  withheld: number;
  waiting: Waiting[];
  isWriting: boolean;
}

export interface DriveLedgerOptions {
  readonly drives: Pick<ResourceClient<DirectPVDrive>, 'get' | 'replace'>;
  /** What volumes of a drive say of their size, as far as is known here. */
  readonly recorded: (drive: string) => RecordedBytes;
  readonly clock: Clock;
  readonly random: Random;
  readonly metrics: ControllerMetrics;
  /** How often a drive is written before the callers are told that others were faster. @default 20 */
  readonly attempts?: number;
}

const DEFAULT_ATTEMPTS = 20;
/** Failures that are no conflict, such as a lost connection: the caller's own retries are the better place. */
const FAILURES = 3;
const BACKOFF_MS = 5;
const MAX_BACKOFF_MS = 500;

/**
 * All changes of drives that this process makes. Each is written by compare-and-swap; a conflict is met with the
 * newest state and the same change. Changes of one drive that wait for each other are written together, so that a
 * drive that everybody wants costs one write for all of them, not one each.
 */
export class DriveLedger {
  readonly #options: DriveLedgerOptions;
  readonly #index: DriveIndex;
  readonly #states = new Map<string, DriveState>();
  /** Which drives hold a volume: one, unless a crash or a move made it two. */
  readonly #holders = new Map<string, Set<string>>();

  constructor(options: DriveLedgerOptions) {
    this.#options = options;
    this.#index = new DriveIndex(options);
  }

  /** For the choice of drives; do not change it. */
  get index(): Pick<DriveIndex, 'choose' | 'capacity' | 'size'> {
    return this.#index;
  }

  get(name: string): Drive | undefined {
    return this.#states.get(name)?.drive;
  }

  drives(): Iterable<Drive> {
    return this.#states.values().map(({ drive }) => drive);
  }

  /** The drives that hold a volume, as far as is known here. */
  holdersOf(volume: string): readonly string[] {
    return [...(this.#holders.get(volume) ?? [])];
  }

  /** Takes in a state of a drive that was seen. An older one than is known is nothing new. */
  observe(drive: Drive): void {
    const name = drive.metadata.name;
    const known = this.#states.get(name);
    if (known === undefined) {
      this.#states.set(name, { drive, withheld: 0, waiting: [], isWriting: false });
      this.#hold(name, drive);
      this.#index.set(drive);
    } else if (isNewer(drive, known.drive)) {
      this.#letGo(name, known.drive);
      known.drive = drive;
      this.#hold(name, drive);
      this.#index.set(drive, known.withheld);
    }
  }

  /** @param drive the last state that was seen; one that was made again since is kept */
  forget(drive: Drive): void {
    const name = drive.metadata.name;
    const known = this.#states.get(name);
    if (known === undefined || known.drive.metadata.uid !== drive.metadata.uid) return;
    this.#letGo(name, known.drive);
    this.#states.delete(name);
    this.#index.delete(name);
  }

  choose(query: DriveQuery): Drive | undefined {
    return this.#index.choose(query)?.drive;
  }

  /**
   * Resolves with the drive as it was written.
   * @throws DriveGoneError, ContentionError, what `apply` throws, and what the API server answers
   */
  change(name: string, change: DriveChange): Promise<Drive> {
    const state = this.#states.get(name);
    if (state === undefined) return Promise.reject(new DriveGoneError(name));
    const done = Promise.withResolvers<Drive>();
    this.#withhold(state, change.withhold ?? 0);
    state.waiting.push({ ...change, done, isRefused: false });
    void this.#write(name, state);
    return done.promise.finally(() => this.#withhold(state, -(change.withhold ?? 0)));
  }

  #withhold(state: DriveState, bytes: number): void {
    if (bytes === 0) return;
    state.withheld += bytes;
    const name = state.drive.metadata.name;
    if (this.#states.get(name) === state) this.#index.set(state.drive, state.withheld);
  }

  async #write(name: string, state: DriveState): Promise<void> {
    if (state.isWriting) return;
    state.isWriting = true;
    while (state.waiting.length > 0) {
      const batch = state.waiting.splice(0);
      try {
        await this.#writeBatch(name, state, batch);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
    }
    state.isWriting = false;
  }

  async #writeBatch(name: string, state: DriveState, batch: readonly Waiting[]): Promise<void> {
    const { drives, metrics, attempts = DEFAULT_ATTEMPTS } = this.#options;
    let isNewest = false;
    let failures = 0;
    for (let attempt = 1; ; attempt++) {
      const base = state.drive;
      const { drive, applied, isDoubtful } = await this.#apply(base, batch, isNewest);
      if (applied.length === 0 && !isDoubtful) return;
      try {
        // What we know may be old: that a change is impossible or made already has to be seen in the newest state.
        if (isNewest || (drive !== base && !isDoubtful)) {
          // A client takes what it is to write as its own, but does not change it.
          const written = drive === base ? base : await drives.replace(drive as DirectPVDrive);
          this.observe(written);
          metrics.driveWrites.inc();
          for (const { done } of applied) done.resolve(written);
          return;
        }
        isNewest = await this.#refresh(state);
      } catch (error) {
        if (error instanceof DriveGoneError) throw error;
        if (isNotFound(error)) throw this.#gone(state, error);
        if (isConflict(error)) metrics.driveConflicts.inc();
        else if (++failures >= FAILURES) throw error;
        if (attempt >= attempts) throw new ContentionError(name, attempt, error);
        // The first conflict says only that somebody else was here; from the second on there is a crowd.
        if (attempt > 1 || !isConflict(error)) await this.#pause(attempt);
        isNewest = isConflict(error) && (await this.#refresh(state).catch(() => false));
      }
    }
  }

  /** The drive with every change that can be made; those that cannot are told so, once that is certain. */
  async #apply(
    base: Drive,
    batch: readonly Waiting[],
    isNewest: boolean,
  ): Promise<{ drive: Drive; applied: Waiting[]; isDoubtful: boolean }> {
    let drive = base;
    let isDoubtful = false;
    const applied: Waiting[] = [];
    for (const waiting of batch) {
      if (waiting.isRefused) continue;
      const { prepare, apply, signal } = waiting;
      try {
        throwIfAborted(signal);
        await prepare?.();
      } catch (error) {
        refuse(waiting, error);
        continue;
      }
      try {
        drive = apply(drive);
        applied.push(waiting);
      } catch (error) {
        if (isNewest) refuse(waiting, error);
        else isDoubtful = true;
      }
    }
    const { recorded } = this.#options;
    if (drive !== base) drive = settle(drive, recorded(base.metadata.name));
    return { drive, applied, isDoubtful };
  }

  async #refresh(state: DriveState): Promise<true> {
    const name = state.drive.metadata.name;
    const newest = await this.#options.drives.get(name);
    if (newest.metadata.uid !== state.drive.metadata.uid) throw this.#gone(state);
    // Not `observe`: an answer of the server itself goes before whatever versions say.
    this.#letGo(name, state.drive);
    state.drive = newest;
    this.#hold(name, newest);
    if (this.#states.get(name) === state) this.#index.set(newest, state.withheld);
    return true;
  }

  #gone(state: DriveState, cause?: unknown): DriveGoneError {
    this.forget(state.drive);
    return new DriveGoneError(state.drive.metadata.name, cause === undefined ? undefined : toError(cause));
  }

  async #pause(attempt: number): Promise<void> {
    const { clock, random } = this.#options;
    const most = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);
    await sleep(clock, most * (0.5 + random.next() / 2));
  }

  #hold(name: string, drive: Drive): void {
    for (const volume of volumesOfDrive(drive)) {
      const holders = this.#holders.get(volume);
      if (holders === undefined) this.#holders.set(volume, new Set([name]));
      else holders.add(name);
    }
  }

  #letGo(name: string, drive: Drive): void {
    for (const volume of volumesOfDrive(drive)) {
      const holders = this.#holders.get(volume);
      holders?.delete(name);
      if (holders?.size === 0) this.#holders.delete(volume);
    }
  }
}

function refuse(waiting: Waiting, error: unknown): void {
  waiting.isRefused = true;
  waiting.done.reject(error);
}

/** A drive that was deleted and made again has another uid, and is the newer one whatever its version. */
function isNewer(a: Drive, b: Drive): boolean {
  if (a.metadata.uid !== b.metadata.uid) return true;
  const [one, other] = [a.metadata.resourceVersion, b.metadata.resourceVersion];
  if (!isResourceVersion(one) || !isResourceVersion(other)) return true;
  return compareResourceVersions(one, other) > 0;
}
