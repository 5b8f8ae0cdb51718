import { keyOf } from '@windlass/apimachinery';
import type { Clock } from '@windlass/base';
import type { RequestReport } from '@windlass/client';
import { listen } from '@windlass/runtime';
import { HeldWrites } from './held-writes.ts';
import type { RunNotes } from './run-notes.ts';
import type { WatchLag } from './watch-lag.ts';
import { type Shown, WriteNote } from './write-note.ts';
import { objectOf, type RequestedWrite, writeOf } from './write-of.ts';

export interface WriteRecorderOptions {
  readonly clock: Clock;
  /** What a cache has, to compare writes with. */
  readonly peek: (kind: string, key: string) => Shown;
  /** The notes of the run that sends a request; undefined when it is sent by nobody who is followed. */
  readonly running: () => RunNotes | undefined;
  readonly lag: WatchLag;
  /** Told how much work it was. */
  readonly heard: (weight: number) => void;
}

interface Sent {
  readonly note: WriteNote;
  readonly write: RequestedWrite;
  readonly isKept: boolean;
}

/** Notes what runs write, from the requests that they send. */
export class WriteRecorder {
  readonly #options: WriteRecorderOptions;
  readonly #sent = new WeakMap<RequestReport, Sent>();
  readonly #held = new HeldWrites();

  constructor(options: WriteRecorderOptions) {
    this.#options = options;
  }

  listen(): Disposable[] {
    return [
      listen('windlass:request:start', this.#requested),
      listen('windlass:request:end', this.#answered),
    ];
  }

  readonly #requested = (report: RequestReport): void => {
    const notes = this.#options.running();
    if (notes === undefined) return;
    const write = writeOf(report);
    if (write === undefined) return;
    const { verb, resource, kind, key } = write;
    const before = verb === 'create' ? undefined : this.#options.peek(kind, key);
    const note = new WriteNote(verb, resource, key, before);
    this.#sent.set(report, { note, write, isKept: notes.wrote(note) });
  };

  readonly #answered = (report: RequestReport): void => {
    const sent = this.#sent.get(report);
    if (sent === undefined) return;
    const { note, write, isKept } = sent;
    const { response, error, tookMs = 0 } = report;
    const { status = 0, body } = response ?? {};
    const failure = response === undefined ? textOf(error) : status >= 400 ? messageOf(body) : undefined;
    const after = failure === undefined ? objectOf(body) : undefined;
    note.answered({ status, tookMs, error: failure, after });
    if (note.verb === 'create' && after !== undefined) note.key = keyOf(after);
    const { lag, clock, heard } = this.#options;
    if (note.version !== undefined) lag.wrote(write.kind, note.version, clock.monotonic());
    const weight = isKept ? this.#held.add(note) : 0;
    if (weight > 0) heard(weight);
  };
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function messageOf(body: unknown): string {
  const message = typeof body === 'object' && body !== null && 'message' in body ? body.message : undefined;
  return typeof message === 'string' ? message : 'refused';
}
