import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type { CacheRead } from '@windlass/runtime';
import type { DiffLine, WriteDetail } from '../protocol.ts';
import { diffObjects } from './diff.ts';
import { masked } from './masked.ts';

type Shown = DeepReadonly<KubeObject> | undefined;

/** Of each so many are kept. */
const MAX_READS = 40;
const MAX_WRITES = 40;

/** A write as it was seen. Objects are shared with caches and compared only when somebody looks. */
export interface WriteNote {
  readonly verb: string;
  readonly resource: string;
  /** Of an object whose name the server makes, its beginning until the answer. */
  key: string;
  readonly before: DeepReadonly<KubeObject> | undefined;
  after: DeepReadonly<KubeObject> | undefined;
  status: number;
  error: string | undefined;
  tookMs: number;
}

/** What one run did, as it does it. */
export class RunNotes {
  readonly #reads = new Map<string, number>();
  readonly writes: WriteNote[] = [];
  #writeCount = 0;

  get writeCount(): number {
    return this.#writeCount;
  }

  read({ kind, key, count }: CacheRead): void {
    const what =
      key === undefined ? `${kind}: ${count} listed` : `${kind} ${key}${count === 0 ? ': none' : ''}`;
    const times = this.#reads.get(what);
    if (times !== undefined || this.#reads.size < MAX_READS) this.#reads.set(what, (times ?? 0) + 1);
  }

  wrote(note: WriteNote): void {
    this.#writeCount++;
    if (this.writes.length < MAX_WRITES) this.writes.push(note);
  }

  /** The versions that its writes made. */
  get versions(): string[] {
    return this.writes.flatMap(({ after }) => after?.metadata?.resourceVersion ?? []);
  }

  reads(): string[] {
    return Array.from(this.#reads, ([what, times]) => (times === 1 ? what : `${what} (${times} times)`));
  }

  details(): WriteDetail[] {
    return this.writes.map(({ before, after, verb, ...note }) => ({
      ...note,
      verb,
      diff: note.error !== undefined || verb === 'delete' ? [] : this.#diff(note.resource, before, after),
    }));
  }

  #diff(resource: string, before: Shown, after: Shown): DiffLine[] {
    const shown = (object: Shown): Shown => object && masked(resource, object);
    return diffObjects(shown(before), shown(after));
  }
}
