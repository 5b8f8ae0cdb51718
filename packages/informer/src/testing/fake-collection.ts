import { newResourceExpired } from '@windlass/apimachinery';
import type { Random } from '@windlass/base';
import { type TestObject, testObject } from './test-object.ts';
import { Timeline } from './timeline.ts';

export interface LoggedEvent {
  readonly version: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: TestObject;
}

export interface Snapshot {
  readonly version: number;
  readonly objects: ReadonlyMap<string, TestObject>;
}

/** How far versions run ahead of a backup, as if other kinds were written to meanwhile. */
const VERSIONS_AFTER_BACKUP = 1_000_000;

/**
 * The objects of one kind with the versions of a real API server: one counter for all kinds, so that it
 * has gaps here; every past state until it is compacted; events after a version, or 410; and backups,
 * after whose restoration versions are lower than what clients have seen.
 */
export class FakeCollection {
  readonly timeline = new Timeline();
  readonly #random: Random;
  #version = 1;
  #writes = 0;
  #uids = 0;
  #past: Snapshot[] = [{ version: 1, objects: new Map() }];
  #log: LoggedEvent[] = [];
  #floor = 1;
  #backup: Snapshot | undefined = undefined;
  #wasRestored = false;
  #listeners = new Set<(event: LoggedEvent) => void>();

  constructor(random: Random) {
    this.#random = random;
  }

  get version(): number {
    return this.#version;
  }

  get now(): Snapshot {
    return this.#past.at(-1) as Snapshot;
  }

  /** The newest state, as a server's list at the version of right now. */
  get current(): Snapshot {
    return { version: this.#version, objects: this.now.objects };
  }

  /** A state that is at least as new as `version`, as a replica that lags would serve it. */
  someState(version: number): Snapshot {
    const fitting = this.#past.filter((past) => past.version >= Math.max(version, this.#floor));
    if (fitting.length === 0) return this.current;
    return fitting[this.#random.int(fitting.length)] ?? this.current;
  }

  create(key: string): TestObject {
    const object = testObject(key, {
      uid: `uid-${++this.#uids}`,
      version: this.#nextVersion(),
      writes: ++this.#writes,
    });
    return this.#write('ADDED', key, object);
  }

  update(key: string): TestObject | undefined {
    const old = this.now.objects.get(key);
    if (old === undefined) return undefined;
    const labels = { color: ['red', 'green', 'blue'][this.#random.int(3)] ?? '' };
    const { uid } = old.metadata;
    const object = testObject(key, { uid, version: this.#nextVersion(), writes: ++this.#writes, labels });
    return this.#write('MODIFIED', key, object);
  }

  delete(key: string): TestObject | undefined {
    const old = this.now.objects.get(key);
    if (old === undefined) return undefined;
    const metadata = { ...old.metadata, resourceVersion: String(this.#nextVersion()) };
    return this.#write('DELETED', key, { ...old, metadata });
  }

  /** Versions move on because of other kinds. */
  tick(): void {
    this.#nextVersion();
  }

  /** What happened after a version. @throws the 410 of an API server */
  since(version: number): LoggedEvent[] {
    if (version < this.#floor)
      throw newResourceExpired(`too old resource version: ${version} (${this.#floor})`);
    return this.#log.filter((event) => event.version > version);
  }

  isCompacted(version: number): boolean {
    return version < this.#floor;
  }

  onEvent(listener: (event: LoggedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Forgets what happened before now. */
  compact(): void {
    this.#floor = this.#version;
    this.#log = [];
    this.#past = [this.current];
  }

  /**
   * Only before a restoration: another one after it could bring versions back to where a client still is,
   * with other objects behind them, and no client can know.
   */
  backUp(): void {
    if (this.#wasRestored) return;
    this.#backup = this.current;
    this.#version += VERSIONS_AFTER_BACKUP;
  }

  /** All of it is as it was at the backup, the versions too. False when there is none, or it was used. */
  restore(): boolean {
    const backup = this.#backup;
    if (backup === undefined) return false;
    this.#backup = undefined;
    this.#wasRestored = true;
    const lost = this.now.objects;
    for (const key of new Set([...lost.keys(), ...backup.objects.keys()]))
      if (lost.get(key) !== backup.objects.get(key)) this.timeline.record(key, backup.objects.get(key));
    this.#version = backup.version;
    this.#past = this.#past.filter((past) => past.version <= backup.version);
    if (this.#past.length === 0) this.#past.push(backup);
    this.#log = this.#log.filter((event) => event.version <= backup.version);
    this.#floor = Math.min(this.#floor, backup.version);
    return true;
  }

  #nextVersion(): number {
    this.#version += 1 + this.#random.int(3);
    return this.#version;
  }

  #write(type: LoggedEvent['type'], key: string, object: TestObject): TestObject {
    const objects = new Map(this.now.objects);
    if (type === 'DELETED') objects.delete(key);
    else objects.set(key, object);
    this.timeline.record(key, type === 'DELETED' ? undefined : object);
    this.#past.push({ version: this.#version, objects });
    const event = { version: this.#version, type, object };
    this.#log.push(event);
    for (const listener of this.#listeners) listener(event);
    return object;
  }
}
