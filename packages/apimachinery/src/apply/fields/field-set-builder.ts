import { FieldSet } from './field-set.ts';
import type { ElementPath, PathElement } from './path-element.ts';

interface Entry {
  member: boolean;
  children: FieldSet | undefined;
  /** The map behind `children`, while the builder still writes into it. */
  below: Level | undefined;
}
type Level = Map<PathElement, Entry>;

/**
 * Collects paths into a FieldSet. Made for a walk through a tree, where each path shares its beginning
 * with the one before: then an insertion costs a step per element that differs.
 */
export class FieldSetBuilder {
  readonly #root: Level = new Map();
  /** The maps along the last path; the first is the root. */
  readonly #levels: Level[] = [this.#root];
  readonly #last: PathElement[] = [];

  /** `path` may be reused by the caller. The root, an empty path, is never a member. */
  insert(path: ElementPath): void {
    const depth = path.length - 1;
    if (depth < 0) return;
    const levels = this.#levels;
    const last = this.#last;
    let shared = 0;
    while (shared < depth && shared < levels.length - 1 && last[shared] === path[shared]) shared++;
    levels.length = shared + 1;
    last.length = shared;
    for (let i = shared; i < depth; i++) {
      const element = path[i] ?? '';
      last.push(element);
      levels.push(descend(levels[i] ?? this.#root, element));
    }
    entryOf(levels[depth] ?? this.#root, path[depth] ?? '').member = true;
  }

  /** After this, nothing may be inserted. */
  build(): FieldSet {
    return this.#root.size === 0 ? FieldSet.EMPTY : new FieldSet(this.#root);
  }
}

function entryOf(level: Level, element: PathElement): Entry {
  let entry = level.get(element);
  if (entry === undefined) {
    entry = { member: false, children: undefined, below: undefined };
    level.set(element, entry);
  }
  return entry;
}

function descend(level: Level, element: PathElement): Level {
  const entry = entryOf(level, element);
  if (entry.below === undefined) {
    entry.below = new Map();
    entry.children = new FieldSet(entry.below);
  }
  return entry.below;
}
