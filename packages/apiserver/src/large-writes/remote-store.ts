import type { DeepReadonly, KubeObject } from '@windlass/apimachinery';
import { RevisionConflictError, type StoredObject } from '../storage/index.ts';
import { freezeAndWeigh } from '../storage/states/freeze.ts';
import type { WriteStore } from '../verbs/runtime.ts';
import type { Asker } from './asker.ts';
import { unpack } from './packing.ts';
import type { PackedState, Written } from './protocol.ts';
import { packUnstamped } from './unstamped-json.ts';

/** The server's store, as the thread for large writes sees it. */
export class RemoteStore implements WriteStore {
  readonly #asker: Asker;

  constructor(asker: Asker) {
    this.#asker = asker;
  }

  async get(key: string): Promise<StoredObject | undefined> {
    return stateOf(await this.#asker.ask('get', { key }));
  }

  async put(key: string, object: DeepReadonly<KubeObject>, expected: number): Promise<StoredObject> {
    const revision = written(
      key,
      expected,
      await this.#asker.ask('put', { key, ...packUnstamped(object), expected }),
    );
    // As the server's store stamps it: whoever is answered in another version's form sees this very object.
    const metadata = { ...object.metadata, resourceVersion: String(revision) };
    return { key, revision, object: { ...object, metadata } };
  }

  async delete(key: string, expected: number): Promise<StoredObject> {
    const revision = written(key, expected, await this.#asker.ask('delete', { key, expected }));
    return { key, revision, object: {} };
  }
}

function written(key: string, expected: number, answer: Written): number {
  if ('revision' in answer) return answer.revision;
  throw new RevisionConflictError(key, expected, stateOf(answer.current));
}

function stateOf(packed: PackedState | undefined): StoredObject | undefined {
  if (packed === undefined) return undefined;
  const { key, revision } = packed;
  const object = unpack(packed.object);
  // As in the server's store: what is shared is nobody's to change.
  freezeAndWeigh(object);
  return { key, revision, object };
}
