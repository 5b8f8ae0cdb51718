/** How many nodes have each image, by each of its names. */
export class ImageCounts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  /** A node has images, or has them no longer. */
  change(names: Iterable<string>, by: 1 | -1): void {
    for (const name of names) {
      const count = this.of(name) + by;
      if (count > 0) this.#counts.set(name, count);
      else this.#counts.delete(name);
    }
  }
}
