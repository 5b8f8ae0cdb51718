// The whole queue against a simple model, under random interleavings of everything that can be done to it.
import { test } from 'node:test';
import * as fc from 'fast-check';
import { type Operation, QueueDriver } from './testing/queue-driver.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const priority = fc.oneof(
  { weight: 2, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.constantFrom(-100, -1, 0.5, 1, 2) },
);
const times = fc.oneof(
  { weight: 6, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.integer({ min: 2, max: 12 }) },
);
const ms = fc.integer({ min: -1, max: 40 });
const pick = fc.nat(100);

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant('add' as const), key, priority, times }) },
  { weight: 5, arbitrary: fc.record({ op: fc.constant('addAfter' as const), key, ms, priority, times }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('addRateLimited' as const), key, priority, times }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('reschedule' as const), key, ms }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constantFrom('cancel' as const, 'forget' as const), key }) },
  { weight: 4, arbitrary: fc.record({ op: fc.constant('setPriority' as const), key, priority }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constantFrom('get' as const, 'tryGet' as const) }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant('done' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('doneTwice' as const, 'abort' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('addThenAbort' as const), key, priority, times }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant('sweep' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({ op: fc.constant('advance' as const), ms: fc.integer({ min: 0, max: 60 }) }),
  },
);
const operations = (maxLength: number): fc.Arbitrary<Operation[]> =>
  fc.array(operation, { maxLength, size: 'max' });

const shutDown = (drain: boolean): Operation => ({ op: 'shutDown', drain });
const options = fc.record({
  ageingMs: fc.constantFrom(1, 7, 100, Number.POSITIVE_INFINITY),
  baseMs: fc.constant(5),
  maxMs: fc.constantFrom(20, 1000),
  withMetrics: fc.nat(3).map((choice) => choice === 0),
});
const endings = fc.constantFrom([true], [false], [true, false], [false, true], [true, true]);

test('it does what the model says, whatever is done to it and however it ends', async () => {
  await fc.assert(
    fc.asyncProperty(
      options,
      operations(60),
      endings,
      operations(12),
      async (driverOptions, before, ending, between) => {
        const driver = new QueueDriver(driverOptions);
        for (const each of before) await driver.run(each);
        for (const drain of ending) {
          await driver.run(shutDown(drain));
          for (const each of between) await driver.run(each);
        }
        await driver.finish();
      },
    ),
    { numRuns: 1000 },
  );
});
