import { Caller } from './caller.ts';
import { BIG_NAMESPACE, make, type People } from './people.ts';
import type { Place } from './place.ts';

const SHORT_COUNT = 5000;
const LONG_COUNT = 30_000;
const AT_ONCE = 100;

/** Many small objects in one namespace: the long list that slow and many readers ask for. */
export async function fillBig(place: Place, people: People, isShort: boolean): Promise<void> {
  const caller = new Caller(place, people.admin);
  const count = isShort ? SHORT_COUNT : LONG_COUNT;
  const data = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`key-${at}`, 'value '.repeat(8)]));
  for (let done = 0; done < count; done += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        make(caller, `/api/v1/namespaces/${BIG_NAMESPACE}/configmaps`, {
          metadata: { name: `big-${done + at}`, labels: { part: String((done + at) % 10) } },
          data,
        }),
      ),
    );
  caller.close();
}
