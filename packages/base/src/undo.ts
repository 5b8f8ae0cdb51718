/** What is to be undone at the end, the last first. As an AsyncDisposableStack, which Node 22 does not have. */
export class Undo implements AsyncDisposable {
  readonly #steps: (() => PromiseLike<void> | void)[] = [];

  use<T extends AsyncDisposable | Disposable>(part: T): T {
    this.defer(async () => {
      if (Symbol.asyncDispose in part) await part[Symbol.asyncDispose]();
      else part[Symbol.dispose]();
    });
    return part;
  }

  defer(step: () => PromiseLike<void> | void): void {
    this.#steps.push(step);
  }

  /** All are undone, whatever one of them throws; the first error is thrown at the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    const errors: unknown[] = [];
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop())
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length > 0) throw errors[0];
  }
}
