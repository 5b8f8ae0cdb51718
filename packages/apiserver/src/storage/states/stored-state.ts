import { type DeepReadonly, type KubeObject, wideJson } from '@windlass/apimachinery';
import type { StoredObject, StoreKey } from '../store.ts';
import { DecodedStates } from './decoded-states.ts';
import { freezeAndWeigh } from './freeze.ts';
import { parseObject } from './object-json.ts';
import type { PastPiece } from './past-bytes.ts';
import type { Prepared } from './prepared.ts';

/** What a state takes beside its object and its bytes: itself, its key, its buffer. */
const STATE_WEIGHT = 320;
/** So many states of the past are there as objects as well, because somebody has read them lately. */
const decoded = new DecodedStates(1024);
/** A larger one is decoded each time: so many of the largest would take gigabytes, whatever they take compressed. */
const MAX_DECODED_BYTES = 16 * 1024;

/**
 * A key's state in memory. Its JSON is made once, when it is first asked for, and then kept: a commit, the
 * answer, every list and every watcher write the same bytes.
 *
 * The bytes are a buffer of their own and not a piece of Node's pool: of 64 KiB that a pool shares, one
 * object that stays would keep all. A pod of 1.2 kB costs 1.6 kB parsed and 1.4 kB as bytes. One that is superseded and
 * past is bytes only; so is one that was read from the disk, until somebody reads its object. What is there now stays an
 * object: who goes through thousands of them in one go would hold the thread up with decoding.
 */
export class StoredState implements StoredObject {
  readonly key: StoreKey;
  readonly revision: number;
  #object: DeepReadonly<KubeObject> | undefined;
  // About how much memory the object takes; what it shares with an older one counts there.
  #objectWeight: number;
  #bytes: Buffer | undefined;
  // Its bytes, once it is superseded and that is a while ago.
  #past: PastPiece | undefined;
  // Of a deletion: what was deleted.
  #deleted: StoredState | undefined;
  #isAway = false;
  /** Somebody has read the object since it was decoded. Of `DecodedStates`. */
  isWanted = false;

  private constructor(
    key: StoreKey,
    object: KubeObject | undefined,
    revision: number,
    bytes: Buffer | undefined,
    weight = 0,
  ) {
    this.key = key;
    this.#objectWeight = weight + (object === undefined ? 0 : freezeAndWeigh(object));
    this.#object = object;
    this.revision = revision;
    this.#bytes = bytes;
  }

  /** The object as it is kept: stamped with its revision. */
  static of(key: StoreKey, object: DeepReadonly<KubeObject>, revision: number): StoredState {
    return new StoredState(key, stamp(object, revision), revision, undefined);
  }

  /** As `of`, with its bytes: before the object is frozen JSON takes two thirds of the time. */
  static withBytes(key: StoreKey, object: DeepReadonly<KubeObject>, revision: number): StoredState {
    const stamped = stamp(object, revision);
    return new StoredState(key, stamped, revision, encode(stamped));
  }

  /** As `of`, of an object whose parts are frozen. */
  static prepared(
    key: StoreKey,
    object: DeepReadonly<KubeObject>,
    revision: number,
    { weight, bytes }: Prepared,
  ): StoredState {
    return new StoredState(key, stamp(object, revision), revision, bytes(revision), weight);
  }

  /** From what was kept: an object that is stamped already, and that nobody else has, or the JSON of one. */
  static restore(key: StoreKey, kept: KubeObject | string, revision: number): StoredState {
    return typeof kept === 'string'
      ? new StoredState(key, undefined, revision, bytesOfText(kept))
      : new StoredState(key, kept, revision, undefined);
  }

  /** What a deletion leaves: the last state, stamped with the deletion's revision. */
  static deletion(key: StoreKey, deleted: StoredState | undefined, revision: number): StoredState {
    if (deleted === undefined) return StoredState.of(key, {}, revision);
    const state = new StoredState(key, undefined, revision, undefined);
    state.#deleted = deleted;
    return state;
  }

  static bytesOf(stored: StoredObject): Buffer {
    if (!(#bytes in stored)) return encode(stored.object);
    const kept = stored.#bytes ?? stored.#past?.bytes();
    if (kept !== undefined) return kept;
    const bytes = encode(stored.object);
    // Those of a deletion that was put away are made again each time, should anybody watch so far back.
    if (!stored.#isAway) stored.#bytes = bytes;
    return bytes;
  }

  get object(): DeepReadonly<KubeObject> {
    this.isWanted = true;
    return this.#object ?? this.#decode();
  }

  /** About how much memory it takes, beside its piece of the past. */
  get weight(): number {
    if (this.#past !== undefined) return STATE_WEIGHT;
    // Bytes that nobody has asked for yet will be about as large as the object.
    return STATE_WEIGHT + this.#objectWeight + (this.#bytes?.length ?? this.#objectWeight);
  }

  /** Where its bytes are, once it is past. */
  get past(): PastPiece | undefined {
    return this.#past;
  }

  /** The object goes: one of the past is made of its bytes when it is read, one of a deletion of what was deleted. */
  putAway(): void {
    if (this.#deleted === undefined && this.#past === undefined) return;
    this.#isAway = true;
    this.#bytes = undefined;
    this.#object = undefined;
    this.#objectWeight = 0;
  }

  /** It is superseded: its bytes are kept elsewhere from now on. */
  becomePast(keep: (bytes: Buffer) => PastPiece): void {
    if (this.#past !== undefined) return;
    this.#past = keep(StoredState.bytesOf(this));
    this.putAway();
  }

  #decode(): DeepReadonly<KubeObject> {
    if (this.#deleted !== undefined) {
      const object = stamp(this.#deleted.object, this.revision);
      const weight = freezeAndWeigh(object);
      if (this.#isAway) return object;
      this.#objectWeight = weight;
      this.#object = object;
      return object;
    }
    const bytes = StoredState.bytesOf(this);
    // What was encoded was an object.
    const object = parseObject(String(bytes)) as KubeObject;
    const weight = freezeAndWeigh(object);
    if (this.#past !== undefined && bytes.length > MAX_DECODED_BYTES) return object;
    this.#object = object;
    // Of the past it adds no weight: what is decoded is bounded by number and size.
    if (this.#past === undefined) this.#objectWeight = weight;
    else decoded.add(this);
    return object;
  }
}

/** The object's JSON in UTF-8, made once for each state. Shared: do not change it. */
export function bytesOf(stored: StoredObject): Buffer {
  return StoredState.bytesOf(stored);
}

/**
 * The state as of another revision: what a watcher gets as deleted when an object no longer matches its
 * selector is the state before, stamped with the revision of the write.
 */
export function restamped(stored: StoredObject, revision: number): StoredObject {
  return StoredState.of(stored.key, stored.object, revision);
}

function stamp(object: DeepReadonly<KubeObject>, revision: number): KubeObject {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  // The parts stay shared with the caller's object, which is read-only by contract and frozen next.
  return { ...object, metadata } as KubeObject;
}

function encode(object: DeepReadonly<KubeObject>): Buffer {
  return bytesOfText(wideJson(object));
}

function bytesOfText(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
