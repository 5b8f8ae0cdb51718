import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import type { DiffLine, WriteDetail } from '../protocol.ts';
import { diffObjects } from './diff.ts';
import { masked } from './masked.ts';

/** What a cache or the server has. */
export type Shown = DeepReadonly<KubeObject> | undefined;

/** What the server said to a write. */
export interface WriteAnswer {
  readonly status: number;
  readonly tookMs: number;
  readonly error: string | undefined;
  readonly after: Shown;
}

type Kept =
  | { readonly is: 'objects'; readonly before: Shown; readonly after: Shown }
  | { readonly is: 'lines'; readonly lines: readonly DiffLine[] }
  | { readonly is: 'forgotten' };

/** What a line costs beside its text. */
const LINE = 64;

const NOTHING: Kept = { is: 'lines', lines: [] };

/**
 * A write of a run. At first it has the objects, which are compared only when somebody looks; once it has settled it has
 * the lines that differ and no objects; and at last, when there are too many, not even those.
 */
export class WriteNote {
  readonly verb: string;
  readonly resource: string;
  /** Of an object whose name the server makes, its beginning until the answer. */
  key: string;
  /** The version that it made. */
  version: string | undefined = undefined;
  #kept: Kept;
  #answer: Omit<WriteAnswer, 'after'> = { status: 0, tookMs: 0, error: undefined };

  constructor(verb: string, resource: string, key: string, before: Shown) {
    this.verb = verb;
    this.resource = resource;
    this.key = key;
    this.#kept = { is: 'objects', before, after: undefined };
  }

  answered({ after, ...answer }: WriteAnswer): void {
    this.#answer = answer;
    this.version = after?.metadata?.resourceVersion;
    const { before } = this.objects;
    const isCompared = answer.error === undefined && this.verb !== 'delete';
    this.#kept = isCompared ? { is: 'objects', before, after } : NOTHING;
  }

  /** What is kept alive for it. */
  get objects(): { readonly before: Shown; readonly after: Shown } {
    return this.#kept.is === 'objects' ? this.#kept : { before: undefined, after: undefined };
  }

  /** Keeps the lines that differ instead of the objects. @returns how many bytes these have, about */
  settle(): number {
    const lines = this.#lines();
    this.#kept = { is: 'lines', lines };
    let characters = 0;
    for (const { path, before = '', after = '' } of lines)
      characters += LINE + path.length + before.length + after.length;
    return characters;
  }

  forget(): void {
    this.#kept = { is: 'forgotten' };
  }

  detail(): WriteDetail {
    const { verb, resource, key } = this;
    const detail = { verb, resource, key, ...this.#answer, diff: this.#lines() };
    return this.#kept.is === 'forgotten' ? { ...detail, isForgotten: true } : detail;
  }

  #lines(): readonly DiffLine[] {
    if (this.#kept.is === 'forgotten') return [];
    if (this.#kept.is === 'lines') return this.#kept.lines;
    const shown = (object: Shown): Shown => object && masked(this.resource, object);
    return diffObjects(shown(this.#kept.before), shown(this.#kept.after));
  }
}
