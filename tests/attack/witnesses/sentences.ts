const MAX_KEPT = 5;

/** The first of many sentences, and how many there were. */
export class Sentences {
  readonly first: string[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(sentence: string): void {
    this.#count++;
    if (this.first.length < MAX_KEPT && !this.first.includes(sentence)) this.first.push(sentence);
  }
}
