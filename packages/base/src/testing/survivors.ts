import assert from 'node:assert/strict';

const ROUNDS = 4;

/** How many of the objects that `make` returns are still alive after some garbage collections. */
export async function survivors(make: () => readonly object[]): Promise<number> {
  const { gc } = globalThis;
  assert.ok(gc, 'run with --expose-gc');
  const refs = make().map((item) => new WeakRef(item));
  const alive = (): number => refs.filter((ref) => ref.deref() !== undefined).length;
  // A WeakRef keeps its target for the turn in which it was made or read, and the stack may show one to the collector for
  // another turn. What leaks is there after any number of them.
  for (let round = 0; round < ROUNDS; round++) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    gc();
  }
  return alive();
}
