// Whatever reconcilers do and whenever events come: no key runs twice at once, and no event is lost.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeClock, nextTurn } from '@windlass/base';
import * as fc from 'fast-check';
import { Controller } from './controller.ts';
import { TerminalError } from './errors.ts';
import type { ReconcileOutcome } from './result.ts';

const KEYS = ['a', 'b', 'c'];

type Behaviour = 'succeed' | 'throw' | 'give up' | 'requeue' | 'requeue later' | 'nonsense';
type Step =
  | { readonly do: 'event'; readonly key: string }
  | { readonly do: 'time'; readonly ms: number }
  | { readonly do: 'turn' };

const behaviour = fc.constantFrom<Behaviour>(
  'succeed',
  'throw',
  'give up',
  'requeue',
  'requeue later',
  'nonsense',
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('event' as const), key: fc.constantFrom(...KEYS) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('time' as const), ms: fc.integer({ min: 0, max: 2000 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
);

function outcomeOf(what: Behaviour): ReconcileOutcome {
  switch (what) {
    case 'succeed':
      return undefined;
    case 'throw':
      throw new Error('no');
    case 'give up':
      throw new TerminalError('never');
    case 'requeue':
      return { requeue: true };
    case 'requeue later':
      return { requeueAfterMs: 100 };
    case 'nonsense':
      return 7 as never;
    default:
      return what satisfies never;
  }
}

test('no key runs twice at once, and every event is followed by a run that began after it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60 }),
      fc.array(fc.tuple(behaviour, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 3 }),
      fc.constantFrom(0, 2, Number.POSITIVE_INFINITY),
      async (steps, behaviours, concurrency, maxRetries) => {
        const clock = new FakeClock();
        const running = new Set<string>();
        const lastEvent = new Map<string, number>();
        const lastBegin = new Map<string, number>();
        let order = 0;
        let runs = 0;
        let isOver = false;
        await using controller = new Controller({
          name: 'model',
          clock,
          concurrency,
          maxRetries,
          reconcile: (key) => {
            assert.ok(!running.has(key), `${key} runs twice at once`);
            assert.ok(running.size < concurrency, 'too many at a time');
            lastBegin.set(key, ++order);
            const [what, turns] = behaviours[runs++ % behaviours.length] ?? ['succeed', 0];
            if (isOver) return undefined;
            if (turns === 0) return outcomeOf(what);
            running.add(key);
            return (async () => {
              for (let turn = 0; turn < turns; turn++) await nextTurn();
              running.delete(key);
              return outcomeOf(what);
            })();
          },
        });
        await controller.start();
        for (const action of steps) {
          if (action.do === 'event') {
            lastEvent.set(action.key, ++order);
            controller.enqueue(action.key);
          } else if (action.do === 'time') await clock.advance(action.ms);
          else await nextTurn();
        }
        isOver = true;
        while (!controller.isIdle) await nextTurn();
        for (const [key, at] of lastEvent)
          assert.ok((lastBegin.get(key) ?? 0) > at, `the last event of ${key} was lost`);
        // What was to come back comes back, and then there is peace.
        await clock.advance(1_000_000);
        while (!controller.isIdle) await nextTurn();
        assert.equal(controller.delayedCount, 0);
      },
    ),
    { numRuns: 150 },
  );
});
