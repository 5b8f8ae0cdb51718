// A process in which honest people work at a modest rate: each gets, creates, lists and deletes small objects, and
// watches for what they created.
import { realClock, sleep } from '@windlass/base';
import { HonestPerson } from './honest-person.ts';
import type { HonestSeen, Order, Reply } from './messages.ts';

let people: HonestPerson[] = [];

function reply(message: Reply<HonestSeen>): void {
  process.send?.(message);
}

function tell(): HonestSeen {
  const all = people.map((person) => person.tell());
  const slowest = all.reduce((worst, seen) => (seen.slowestMs > worst.slowestMs ? seen : worst), {
    slowestMs: 0,
    slowestWhat: '',
  });
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    slowestMs: slowest.slowestMs,
    slowestWhat: slowest.slowestWhat,
    retried: all.reduce((sum, { retried }) => sum + retried, 0),
    failures: all.flatMap(({ failures }) => failures),
    failureCount: all.reduce((sum, { failureCount }) => sum + failureCount, 0),
  };
}

process.on('message', (order: Order) => {
  switch (order.type) {
    case 'work':
      people = order.identities.map((identity) => new HonestPerson(order.place, identity));
      for (const person of people) person.start();
      break;
    case 'rest':
      void (async () => {
        await Promise.all(people.map((person) => person.stop()));
        reply({ type: 'resting' });
      })();
      break;
    case 'tell':
      reply({ type: 'seen', seen: tell() });
      break;
    default:
      order satisfies never;
  }
});
process.on('disconnect', () => process.exit());
for (;;) await sleep(realClock, 60_000);
