import { bytesOf } from '../states/stored-state.ts';
import type { Store, StoredObject } from '../store.ts';

/** All objects of a store at one revision: what a backup is made of, whatever the backend. */
export interface StoreSnapshot {
  /** At which it was taken. */
  readonly revision: number;
  readonly count: number;
  /** One line of JSON an object (see `parseSnapshotLine`), several at a time. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** An object in a snapshot. */
export interface SnapshotObject {
  readonly key: string;
  readonly revision: number;
  /** Its JSON, exactly as it was written: numbers may be wider than JavaScript's. */
  readonly json: string;
}

const CHUNK_BYTES = 64 * 1024;
/** It ends the part before the object: within the key a quote has a backslash before it. */
const OBJECT = ',"object":';

const END = Buffer.from('}\n');

/**
 * Takes a snapshot while the store is in use. It shows one moment, and holds up nobody: objects are immutable, so that
 * what is written later does not change it. It costs a reference for each object.
 */
export async function snapshotOf(store: Pick<Store, 'list'>): Promise<StoreSnapshot> {
  const { items, revision } = await store.list('/');
  return { revision, count: items.length, chunks: chunksOf(items) };
}

async function* chunksOf(items: readonly StoredObject[]): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let size = 0;
  for (const stored of items) {
    for (const part of [Buffer.from(headOf(stored)), bytesOf(stored), END]) {
      waiting.push(part);
      size += part.length;
    }
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(waiting, size);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting, size);
}

function headOf({ key, revision }: StoredObject): string {
  return `{"key":${JSON.stringify(key)},"revision":${revision}${OBJECT}`;
}

/** Undefined when the line is none of a snapshot. */
export function parseSnapshotLine(line: string): SnapshotObject | undefined {
  const at = line.indexOf(OBJECT);
  if (at === -1 || !line.endsWith('}')) return undefined;
  let head: unknown;
  try {
    head = JSON.parse(`${line.slice(0, at)}}`);
  } catch {
    return undefined;
  }
  if (typeof head !== 'object' || head === null || !('key' in head) || !('revision' in head))
    return undefined;
  const { key, revision } = head;
  if (typeof key !== 'string' || typeof revision !== 'number') return undefined;
  return { key, revision, json: line.slice(at + OBJECT.length, -1) };
}
