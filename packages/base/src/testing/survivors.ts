import assert from 'node:assert/strict';

/** How many of the objects that `make` returns are still alive after a garbage collection. */
export async function survivors(make: () => readonly object[]): Promise<number> {
  const { gc } = globalThis;
  assert.ok(gc, 'run with --expose-gc');
  const refs = make().map((item) => new WeakRef(item));
  // A WeakRef keeps its target for the turn in which it was made.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  gc();
  return refs.filter((ref) => ref.deref() !== undefined).length;
}
