import { createHash } from 'node:crypto';
import type { KubeObject } from '@windlass/apimachinery';
import type { StoreEvent } from '@windlass/apiserver';
import { fieldOf } from '@windlass/base';
import type { JournalEntry } from '../journal-entry.ts';

const HASHED_AT_ONCE = 65_536;

/** Everything that was written in a run, in order, and a digest of all its bytes. */
export class Journal {
  readonly entries: JournalEntry[] = [];
  readonly #hash = createHash('sha256');
  /** Lines that the hash has not seen: it takes many at once for little more than it takes one. */
  #unhashed = '';

  add(event: StoreEvent, atMs: number, by: string): JournalEntry {
    const verb = event.type === 'delete' ? 'delete' : event.previous === undefined ? 'create' : 'update';
    // A store keeps what a server has validated, read-only.
    const object = event.stored.object as KubeObject;
    const previous = event.previous?.object as KubeObject | undefined; // The same.
    const { key, revision } = event;
    const entry: JournalEntry = { atMs, by, verb, key, revision, object, previous };
    this.entries.push(entry);
    this.#unhashed += lineOf(entry);
    if (this.#unhashed.length >= HASHED_AT_ONCE) this.#catchUp();
    return entry;
  }

  /** Of all bytes so far. */
  digest(): string {
    this.#catchUp();
    return this.#hash.copy().digest('hex').slice(0, 32);
  }

  /** As text, one line for each write. */
  text(): string {
    return this.entries.map(lineOf).join('');
  }

  #catchUp(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }
}

function lineOf({ atMs, by, verb, key, revision, object }: JournalEntry): string {
  return `${atMs} ${by} ${verb} ${key} ${revision} ${JSON.stringify(object)}\n`;
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
