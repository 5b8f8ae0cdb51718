import { ANSWER_WITHIN_MS, type Attack } from '../attack.ts';
import { BIG_NAMESPACE } from '../people.ts';
import { swarm } from '../swarm.ts';

const LIST = `/api/v1/namespaces/${BIG_NAMESPACE}/configmaps`;
const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(',');

/** Selectors as long as a request line may be, over the long list. */
const QUERIES: readonly string[] = [
  `labelSelector=${encodeURIComponent(`part in (${many(3000, (at) => `v${at}`)})`)}`,
  `labelSelector=${encodeURIComponent(`part notin (${many(3000, (at) => `v${at}`)})`)}`,
  `labelSelector=${encodeURIComponent(many(2500, (at) => `k${at}`))}`,
  `labelSelector=${encodeURIComponent(many(2500, (at) => `!k${at}`))}`,
  `labelSelector=${encodeURIComponent(many(1500, (at) => `part!=v${at}`))}`,
  `labelSelector=${'('.repeat(15_000)}`,
  `labelSelector=${encodeURIComponent(','.repeat(10_000))}`,
  `fieldSelector=${encodeURIComponent(many(700, (at) => `metadata.name!=x${at}`))}`,
  `fieldSelector=${'%5C'.repeat(5000)}`,
  `fieldSelector=${'a'.repeat(15_000)}%3D1`,
  `${many(5000, (at) => `a${at}`).replaceAll(',', '&')}&limit=1`,
  `limit=1&continue=${'A'.repeat(15_000)}`,
];

export const selectors: Attack = {
  name: 'selectors',
  summary: 'lists and watches with label and field selectors of thousands of terms',
  async start(stage, signal) {
    const found: string[] = [];
    const caller = stage.caller(stage.people.writer);
    await swarm(stage.size(1, 10) * QUERIES.length, 4, signal, async (index) => {
      const query = QUERIES[index % QUERIES.length] ?? '';
      const { status, ms } = await caller.ask({ path: `${LIST}?${query}` });
      const shown = query.slice(0, 40);
      if (ms > ANSWER_WITHIN_MS && !signal.aborted)
        found.push(`a list with ${shown}… took ${ms.toFixed(0)} ms`);
      if (status === 500) found.push(`a list with ${shown}… answered 500`);
      const watch = caller.open({
        path: `${LIST}?watch=true&timeoutSeconds=1&resourceVersion=0&${query}`,
        signal,
      });
      watch?.on('response', ({ ':status': code = 0 }) => stage.tally.answer(code));
      watch?.resume();
    });
    return found;
  },
};
