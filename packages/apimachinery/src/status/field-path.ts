/**
 * The way from an object's root to one of its fields, as validation messages name it:
 * `spec.containers[0].env`, `metadata.labels[app]`. Immutable; siblings share their parent.
 */
export class FieldPath {
  readonly #text: string;

  private constructor(text: string) {
    this.#text = text;
  }

  /** `FieldPath.of('spec', 'template')` is `spec.template`. */
  static of(name: string, ...more: readonly string[]): FieldPath {
    return new FieldPath([name, ...more].join('.'));
  }

  child(name: string, ...more: readonly string[]): FieldPath {
    return new FieldPath([this.#text, name, ...more].join('.'));
  }

  /** An item of a list. */
  index(index: number): FieldPath {
    return new FieldPath(`${this.#text}[${index}]`);
  }

  /** An entry of a map. */
  key(key: string): FieldPath {
    return new FieldPath(`${this.#text}[${key}]`);
  }

  toString(): string {
    return this.#text;
  }
}
