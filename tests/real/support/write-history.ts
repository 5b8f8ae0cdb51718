// Writers on several stores at once, what they were told, and what must then be true.
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import {
  RevisionConflictError,
  StorageUnavailableError,
  type Store,
  type StoreEvent,
  WriteOutcomeUnknownError,
} from '@windlass/apiserver';
import type { Random } from '@windlass/base';

interface Answered {
  readonly key: string;
  readonly revision: number;
  /** Undefined for a deletion. */
  readonly serial: number | undefined;
}

/** What writers and readers were told. */
export class WriteHistory {
  readonly answered: Answered[] = [];
  readonly refused: number[] = [];
  readonly unknown: number[] = [];
  readonly problems: string[] = [];
  reads = 0;
  unavailable = 0;
  /** The last revision that anybody was told of, by key. */
  readonly #known = new Map<string, number>();
  #serial = 0;

  /** Reads and writes until it is told to stop. */
  async work(store: Store, random: Random, signal: AbortSignal, pauseMs: number): Promise<void> {
    while (!signal.aborted) {
      await wait(pauseMs);
      const key = `//configmaps/faults/object-${random.int(12)}`;
      const before = this.#known.get(key) ?? 0;
      try {
        const current = await store.get(key);
        this.reads++;
        // A deletion has a revision of its own, which a read does not show.
        if (current !== undefined && current.revision < before)
          this.problems.push(
            `a read of ${key} gave ${current.revision}, and ${before} was answered before it`,
          );
        if (current !== undefined && random.int(6) === 0) await this.#delete(store, key, current.revision);
        else await this.#put(store, key, current?.revision ?? 0);
      } catch (error) {
        if (!(error instanceof StorageUnavailableError))
          this.problems.push(`a read failed: ${String(error)}`);
        this.unavailable++;
        await wait(20);
      }
    }
  }

  async #put(store: Store, key: string, expected: number): Promise<void> {
    const serial = ++this.#serial;
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: key.slice(key.lastIndexOf('/') + 1), namespace: 'faults', uid: `uid-${serial}` },
      data: { serial: String(serial) },
    };
    try {
      const { revision } = await store.put(key, object, expected);
      this.#note({ key, revision, serial });
    } catch (error) {
      this.#noteFailure(error, serial);
    }
  }

  async #delete(store: Store, key: string, expected: number): Promise<void> {
    try {
      const { revision } = await store.delete(key, expected);
      this.#note({ key, revision, serial: undefined });
    } catch (error) {
      this.#noteFailure(error, 0);
    }
  }

  #note(answered: Answered): void {
    this.answered.push(answered);
    this.#known.set(answered.key, Math.max(this.#known.get(answered.key) ?? 0, answered.revision));
  }

  #noteFailure(error: unknown, serial: number): void {
    if (error instanceof WriteOutcomeUnknownError) this.unknown.push(serial);
    else if (error instanceof StorageUnavailableError || error instanceof RevisionConflictError)
      this.refused.push(serial);
    else this.problems.push(`a write failed: ${String(error)}`);
  }

  /** @param events all that happened, as a store shows it that was opened afterwards */
  check(events: readonly StoreEvent[]): void {
    assert.deepEqual(this.problems, []);
    const written = new Map<number, StoreEvent>();
    for (const event of events) {
      const serial = serialOf(event);
      if (event.type === 'delete') continue;
      assert.equal(written.has(serial), false, `${serial} was written twice`);
      written.set(serial, event);
    }
    const byRevision = new Map(events.map((event) => [event.revision, event]));
    for (const { key, revision, serial } of this.answered) {
      const event = byRevision.get(revision);
      assert.equal(event?.key, key, `the answered write of ${key} at ${revision} is lost`);
      if (serial !== undefined) assert.equal(written.get(serial), event, `${serial} is not at ${revision}`);
      else assert.equal(event?.type, 'delete');
    }
    for (const serial of this.refused)
      assert.equal(written.has(serial), false, `${serial} was refused, and is there`);
    const known = new Set([...this.answered.map(({ serial }) => serial), ...this.unknown]);
    for (const serial of written.keys())
      assert.ok(known.has(serial), `${serial} is there, and nobody was told that it might be`);
  }
}

function serialOf({ stored }: StoreEvent): number {
  const { data } = stored.object as { readonly data?: { readonly serial?: string } }; // as it was written
  return Number(data?.serial);
}

/** What a watch has told, in short. */
export function told(events: readonly StoreEvent[]): string[] {
  return events.map(
    ({ type, key, revision, previous }) => `${revision} ${type} ${key} ${previous?.revision ?? 0}`,
  );
}
