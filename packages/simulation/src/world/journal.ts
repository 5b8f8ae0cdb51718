import { createHash } from 'node:crypto';
import type { KubeObject } from '@windlass/apimachinery';
import type { StoreEvent } from '@windlass/apiserver';
import { fieldOf } from '@windlass/base';
import type { JournalEntry } from '../journal-entry.ts';

/** Everything that was written in a run, in order, and a digest of all its bytes. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  readonly #hash = createHash('sha256');

  add(event: StoreEvent, atMs: number, by: string): JournalEntry {
    const verb = event.type === 'delete' ? 'delete' : event.previous === undefined ? 'create' : 'update';
    // A store keeps what a server has validated, read-only.
    const object = event.stored.object as KubeObject;
    const previous = event.previous?.object as KubeObject | undefined; // The same.
    const { key, revision } = event;
    const entry: JournalEntry = { atMs, by, verb, key, revision, object, previous };
    this.entries.push(entry);
    this.#hash.update(`${atMs} ${by} ${verb} ${key} ${revision} ${JSON.stringify(object)}\n`);
    return entry;
  }

  /** Of all bytes so far. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 32);
  }

  /** As text, one line for each write. */
  text(): string {
    return this.entries
      .map(
        ({ atMs, by, verb, key, revision, object }) =>
          `${atMs} ${by} ${verb} ${key} ${revision} ${JSON.stringify(object)}\n`,
      )
      .join('');
  }
}

/** Leases and events by any name, in whichever group they are kept. */
const BACKGROUND = /^\/[^/]*\/(leases|events)\//;
const NODE = /^\/[^/]*\/nodes\/[^/]+$/;

/** Heartbeats and messages, which go on at rest: leases, events, and what nodes say again and again. */
export function isHeartbeat({ key, verb, previous, object }: JournalEntry): boolean {
  if (BACKGROUND.test(key)) return true;
  if (verb !== 'update' || !NODE.test(key)) return false;
  return JSON.stringify(fieldOf(previous, 'spec')) === JSON.stringify(fieldOf(object, 'spec'));
}
