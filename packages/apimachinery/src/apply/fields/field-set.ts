import type { ElementPath, PathElement } from './path-element.ts';
import { sortPathElements } from './path-element.ts';

/** What a set knows about one step: whether the path that ends here is in it, and what lies below. */
export interface FieldSetEntry {
  readonly member: boolean;
  /** Never an empty set. */
  readonly children: FieldSet | undefined;
}

type Entries = ReadonlyMap<PathElement, FieldSetEntry>;

/**
 * A set of paths, as a tree. Immutable; operations share subtrees with their operands, and answer an
 * operand itself where the result equals it. A path and the paths below it are members independently.
 *
 * Cost: an operation visits only where both operands have entries; reading in order sorts each level,
 * unless it is sorted already.
 */
export class FieldSet {
  static readonly EMPTY: FieldSet = new FieldSet(new Map());

  readonly #entries: Entries;
  #memos: Record<string, unknown> | undefined;

  constructor(entries: Entries) {
    this.#entries = entries;
  }

  static of(...paths: readonly ElementPath[]): FieldSet {
    return paths.reduce((set, path) => set.union(singlePath(path)), FieldSet.EMPTY);
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** How many paths are members. */
  get size(): number {
    let size = 0;
    for (const { member, children } of this.#entries.values())
      size += (member ? 1 : 0) + (children?.size ?? 0);
    return size;
  }

  hasMember(element: PathElement): boolean {
    return this.#entries.get(element)?.member ?? false;
  }

  /** The members below an element, as paths from there. */
  below(element: PathElement): FieldSet {
    return this.#entries.get(element)?.children ?? FieldSet.EMPTY;
  }

  has([first, ...rest]: ElementPath): boolean {
    if (first === undefined) return false;
    return rest.length === 0 ? this.hasMember(first) : this.below(first).has(rest);
  }

  /** In no order. */
  entries(): Iterable<[PathElement, FieldSetEntry]> {
    return this.#entries;
  }

  /** In the order of FieldsV1. */
  elements(): PathElement[] {
    return sortPathElements([...this.#entries.keys()]);
  }

  entry(element: PathElement): FieldSetEntry | undefined {
    return this.#entries.get(element);
  }

  /** Every member: those of this level in order, then those below each. */
  *paths(): Generator<ElementPath> {
    const elements = this.elements();
    for (const element of elements) if (this.hasMember(element)) yield [element];
    for (const element of elements) for (const path of this.below(element).paths()) yield [element, ...path];
  }

  /** What follows from this set alone, made once. */
  memoize<T>(name: string, make: () => T): T {
    this.#memos ??= {};
    this.#memos[name] ??= make();
    return this.#memos[name] as T; // of the same name, so of the same type
  }

  union(other: FieldSet): FieldSet {
    if (this === other || other.isEmpty) return this;
    if (this.isEmpty) return other;
    let result: Map<PathElement, FieldSetEntry> | undefined;
    for (const [element, theirs] of other.#entries) {
      const mine = this.#entries.get(element);
      const united = mine === undefined ? theirs : unite(mine, theirs);
      if (united === mine) continue;
      result ??= new Map(this.#entries);
      result.set(element, united);
    }
    return result === undefined ? this : new FieldSet(result);
  }

  intersection(other: FieldSet): FieldSet {
    if (this === other) return this;
    return this.#map((entry, element) => {
      const theirs = other.#entries.get(element);
      if (theirs === undefined) return undefined;
      const children =
        theirs.children === undefined ? undefined : entry.children?.intersection(theirs.children);
      return { member: entry.member && theirs.member, children };
    });
  }

  /** The members that are not members of `other`. What lies below a member of `other` stays. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#map((entry, element) => {
      const theirs = other.#entries.get(element);
      if (theirs === undefined) return entry;
      const children =
        theirs.children === undefined ? entry.children : entry.children?.difference(theirs.children);
      return { member: entry.member && !theirs.member, children };
    });
  }

  /** The members that are neither members of `other` nor lie below one. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty || this.isEmpty) return this;
    return this.#map((entry, element) => {
      const theirs = other.#entries.get(element);
      if (theirs === undefined) return entry;
      if (theirs.member) return undefined;
      const children =
        theirs.children === undefined ? entry.children : entry.children?.recursiveDifference(theirs.children);
      return { member: entry.member, children };
    });
  }

  /** The members that have no members below them. */
  leaves(): FieldSet {
    return this.#map(({ member, children }) =>
      children === undefined ? { member, children } : { member: false, children: children.leaves() },
    );
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.#entries.size !== other.#entries.size) return false;
    for (const [element, mine] of this.#entries) {
      const theirs = other.#entries.get(element);
      if (theirs === undefined || mine.member !== theirs.member) return false;
      if (mine.children === theirs.children) continue;
      if (mine.children === undefined || theirs.children === undefined) return false;
      if (!mine.children.equals(theirs.children)) return false;
    }
    return true;
  }

  /** Whether every member is one of `other`. */
  isSubsetOf(other: FieldSet): boolean {
    if (this === other) return true;
    for (const [element, mine] of this.#entries) {
      const theirs = other.#entries.get(element);
      if (theirs === undefined || (mine.member && !theirs.member)) return false;
      if (mine.children !== undefined && !mine.children.isSubsetOf(theirs.children ?? FieldSet.EMPTY))
        return false;
    }
    return true;
  }

  /** This set with each entry changed, and without those that nothing is left of. */
  #map(change: (entry: FieldSetEntry, element: PathElement) => FieldSetEntry | undefined): FieldSet {
    const result = new Map<PathElement, FieldSetEntry>();
    let same = true;
    for (const [element, entry] of this.#entries) {
      const changed = change(entry, element);
      const children = changed?.children?.isEmpty === false ? changed.children : undefined;
      const member = changed?.member ?? false;
      if (member === entry.member && children === entry.children) {
        result.set(element, entry);
        continue;
      }
      same = false;
      if (member || children !== undefined) result.set(element, { member, children });
    }
    if (same) return this;
    return result.size === 0 ? FieldSet.EMPTY : new FieldSet(result);
  }
}

function unite(mine: FieldSetEntry, theirs: FieldSetEntry): FieldSetEntry {
  const member = mine.member || theirs.member;
  const children =
    mine.children === undefined
      ? theirs.children
      : theirs.children === undefined
        ? mine.children
        : mine.children.union(theirs.children);
  return member === mine.member && children === mine.children ? mine : { member, children };
}

function singlePath(path: ElementPath): FieldSet {
  return path.reduceRight<FieldSet>(
    (set, element, index) =>
      new FieldSet(
        new Map([[element, { member: index === path.length - 1, children: set.isEmpty ? undefined : set }]]),
      ),
    FieldSet.EMPTY,
  );
}
