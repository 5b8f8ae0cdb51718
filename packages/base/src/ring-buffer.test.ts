import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { RingBuffer } from './ring-buffer.ts';
import { survivors } from './testing/survivors.ts';

test('it agrees with an array under any sequence of operations', () => {
  // Bursts, because the buffer grows and shrinks only when it holds more than its 16 first slots.
  const burst = fc.record({
    op: fc.constantFrom('push', 'shift', 'clear'),
    count: fc.integer({ min: 1, max: 70 }),
  });
  fc.assert(
    fc.property(fc.array(burst, { maxLength: 40 }), (bursts) => {
      const buffer = new RingBuffer<number>();
      const model: number[] = [];
      let next = 0;
      for (const { op, count } of bursts) {
        if (op === 'clear' && count > 50) {
          buffer.clear();
          model.length = 0;
        }
        for (let index = 0; index < count; index++) {
          if (op === 'push') {
            buffer.push(next);
            model.push(next++);
          } else if (op === 'shift') assert.equal(buffer.shift(), model.shift());
          assert.equal(buffer.length, model.length);
          assert.equal(buffer.peek(), model[0]);
        }
        assert.deepEqual([...buffer], model);
      }
    }),
  );
});

test('undefined is an item like any other', () => {
  const buffer = new RingBuffer<number | undefined>();
  buffer.push(undefined);
  buffer.push(1);
  assert.equal(buffer.length, 2);
  assert.deepEqual([...buffer], [undefined, 1]);
  assert.equal(buffer.shift(), undefined);
  assert.equal(buffer.length, 1);
  assert.equal(buffer.shift(), 1);
});

test('what has passed through can be collected, and what is inside cannot', async () => {
  const buffer = new RingBuffer<object>();
  const fill = (count: number): object[] => {
    const items = Array.from({ length: count }, (_, index) => ({ index }));
    for (const item of items) buffer.push(item);
    return items;
  };
  assert.equal(await survivors(() => fill(12)), 12);
  const passed = await survivors(() => {
    const items = fill(500);
    while (buffer.length > 5) buffer.shift();
    return items;
  });
  assert.equal(passed, 5);
  assert.equal(buffer.length, 5);
  // Few enough not to shrink: each slot must have been cleared by itself.
  const few = await survivors(() => {
    const items = fill(10);
    while (buffer.length > 0) buffer.shift();
    return items;
  });
  assert.equal(few, 0);
  const cleared = await survivors(() => {
    const items = fill(100);
    buffer.clear();
    return items;
  });
  assert.equal(cleared, 0);
});

test('a burst does not pin its memory', () => {
  const { gc } = globalThis;
  assert.ok(gc, 'run with --expose-gc');
  const buffer = new RingBuffer<number>();
  gc();
  const empty = process.memoryUsage().heapUsed;
  for (let index = 0; index < 1_000_000; index++) buffer.push(index);
  gc();
  const full = process.memoryUsage().heapUsed - empty;
  while (buffer.length > 10) buffer.shift();
  gc();
  const after = process.memoryUsage().heapUsed - empty;
  assert.ok(full > 4_000_000, `a million items take ${full} bytes`);
  assert.ok(after < full / 10, `${after} of ${full} bytes are left`);
  assert.equal(buffer.length, 10);
});
