import {
  type JsonPatchOperation,
  type KubeObject,
  keyOf,
  type Served,
  splitKey,
} from '@windlass/apimachinery';
import type {
  ApplyConfiguration,
  ApplyOptions,
  MergePatch,
  PatchOptions,
  StrategicPatch,
  SubresourceClient,
  WriteOptions,
} from '@windlass/client';

interface StatusWriterOptions<T extends KubeObject> {
  readonly statusOf: (key: string) => SubresourceClient<T>;
  readonly write: (key: string, call: () => Promise<Served<T>>) => Promise<Served<T>>;
}

/** Writes the status of objects, and nothing else of them. */
export class StatusWriter<T extends KubeObject> {
  readonly #options: StatusWriterOptions<T>;

  constructor(options: StatusWriterOptions<T>) {
    this.#options = options;
  }

  /** Overwrites; refused (`isConflict`) if the object has changed since it was read. */
  update(object: T, options: WriteOptions = {}): Promise<Served<T>> {
    const key = keyOf(object);
    return this.#options.write(key, () => this.#options.statusOf(key).replace(object, options));
  }

  patch(
    key: string,
    patch: MergePatch<T> | StrategicPatch<T> | readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<Served<T>> {
    const { name } = splitKey(key);
    return this.#options.write(key, () => this.#options.statusOf(key).patch(name, patch, options));
  }

  apply(configuration: ApplyConfiguration<T>, options: ApplyOptions = {}): Promise<Served<T>> {
    // Whatever is applied has a name, or the server refuses it.
    const key = keyOf(configuration as KubeObject);
    return this.#options.write(key, () =>
      this.#options.statusOf(key).apply(configuration, { force: true, ...options }),
    );
  }
}
