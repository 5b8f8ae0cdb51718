import type { KubeObject, RawWatchEvent } from '@windlass/apimachinery';
import { INITIAL_EVENTS_END } from '@windlass/client';
import { keyOrNone } from '../list-watch/object-key.ts';
import { versionOf } from './event-versions.ts';
import type { ReflectorSink } from './reflector-options.ts';

/** How far a batch has brought the initial state. */
export interface Collected {
  /** The version of the bookmark that ends the initial state, when it has come. */
  readonly marker: string | undefined;
  /** What follows the marker, which are changes. */
  readonly rest: readonly RawWatchEvent[];
  /** There is an object more. */
  readonly hasGrown: boolean;
}

/** The whole state as it comes in, by pages or as a stream, until it is complete. */
export class CollectedState<T extends KubeObject> {
  readonly #sink: ReflectorSink<T>;
  #items = new Map<string, T>();

  constructor(sink: ReflectorSink<T>) {
    this.#sink = sink;
  }

  /** The collected objects, which are the caller's to keep. The next state begins empty. */
  take(): Map<string, T> {
    const items = this.#items;
    this.#items = new Map();
    return items;
  }

  /**
   * @param isInDoubt what the sink knows may not be what the server has, also where the versions are equal
   */
  add(object: T, isInDoubt: boolean): void {
    const key = keyOrNone(object);
    if (key === undefined) {
      this.#sink.malformed(object);
      return;
    }
    const known = isInDoubt ? undefined : this.#sink.known(key);
    this.#items.set(key, known !== undefined && isSameState(known, object) ? known : object);
  }

  /** Takes the events of a streaming list, up to the marked bookmark. */
  addEvents(batch: readonly RawWatchEvent[], isInDoubt: boolean): Collected {
    const before = this.#items.size;
    let marker: string | undefined;
    let index = 0;
    while (index < batch.length && marker === undefined) {
      // The index is within the batch.
      const event = batch[index++] as RawWatchEvent;
      // The object of an event is of the kind that was asked for.
      const object = event.object as T;
      if (event.type === 'BOOKMARK') marker = isMarker(object) ? versionOf(event) : undefined;
      else if (event.type === 'DELETED') this.#items.delete(keyOrNone(object) ?? '');
      else this.add(object, isInDoubt);
    }
    return { marker, rest: batch.slice(index), hasGrown: this.#items.size > before };
  }
}

function isMarker(object: KubeObject): boolean {
  return object.metadata?.annotations?.[INITIAL_EVENTS_END] === 'true';
}

function isSameState(a: KubeObject, b: KubeObject): boolean {
  const version = a.metadata?.resourceVersion;
  return (
    version !== undefined && version === b.metadata?.resourceVersion && a.metadata?.uid === b.metadata?.uid
  );
}
