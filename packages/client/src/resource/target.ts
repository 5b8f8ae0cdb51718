import type { ResourceType } from '@windlass/apimachinery';

/** A type that is known, or how to find it out. */
export type TypeSource = ResourceType | ((signal: AbortSignal | undefined) => Promise<ResourceType>);

/**
 * What a resource client works on. A type from the generated modules is known from the start; one that
 * is named by kind or plural is looked up in discovery by the first call that needs it.
 */
export class Target {
  readonly #source: TypeSource;
  readonly #known: ResourceType | undefined;

  constructor(source: TypeSource) {
    this.#source = source;
    this.#known = typeof source === 'function' ? undefined : source;
  }

  /** Undefined while only discovery knows it. */
  get known(): ResourceType | undefined {
    return this.#known;
  }

  /** Asked anew each time: discovery has its own cache, which may be emptied. */
  resolve(signal: AbortSignal | undefined): ResourceType | Promise<ResourceType> {
    return typeof this.#source === 'function' ? this.#source(signal) : this.#source;
  }
}
