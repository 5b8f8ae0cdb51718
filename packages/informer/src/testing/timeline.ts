import type { TestObject } from './test-object.ts';

/** What is stored under a key: which object, in which state. Undefined: nothing. */
export type State = string | undefined;

export function stateOf(object: TestObject | undefined): State {
  if (object === undefined) return undefined;
  const { uid, resourceVersion } = object.metadata;
  return `${uid}@${resourceVersion}#${object.data.writes}`;
}

/** What really happened to each key, in order: what an observer saw must be a shortening of it. */
export class Timeline {
  readonly #byKey = new Map<string, State[]>();

  record(key: string, object: TestObject | undefined): void {
    const states = this.#byKey.get(key);
    if (states === undefined) this.#byKey.set(key, [undefined, stateOf(object)]);
    else states.push(stateOf(object));
  }

  /** How many states the key was in, the first absence counted. */
  length(key: string): number {
    return this.#byKey.get(key)?.length ?? 1;
  }

  /** Where, from an index on, the key first was in that state; -1 if it never was. */
  find(key: string, state: State, from: number): number {
    return (this.#byKey.get(key) ?? [undefined]).indexOf(state, from);
  }

  /** Where, from an index on, the object with that uid was first gone; -1 if it never was. */
  findGone(key: string, uid: string, from: number): number {
    const states = this.#byKey.get(key) ?? [undefined];
    return states.findIndex((state, index) => index >= from && state?.startsWith(`${uid}@`) !== true);
  }
}
