import type { Attack, Stage } from '../attack.ts';
import { ATTACK_NAMESPACE, type Identity } from '../people.ts';
import { hold } from '../swarm.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const PER_CONNECTION = 100;
/** Whoever has no right is told so before the body is over. */
const REFUSED_WITHIN_MS = 3000;
const BEGINNING = `{"metadata":{"name":"endless"},"data":{"x":"${'x'.repeat(10_000)}`;

/** Begins POSTs whose bodies never end. */
export const endlessBodies: Attack = {
  name: 'endless-bodies',
  summary: 'begins 500 POSTs that never end, as anonymous, without any right, as a node and with rights',
  async start(stage, signal) {
    const { anonymous, powerless, node, writer } = stage.people;
    const found: string[] = [];
    for (const identity of [anonymous, powerless, node]) {
      const open = await begin(stage, identity, stage.size(450, 500), signal);
      if (open > 0)
        found.push(`${open} POSTs by ${identity.name}, who may not create, were held open for their bodies`);
    }
    await begin(stage, writer, stage.size(450, 500), signal);
    return found;
  },
};

/** Resolves with how many were still open without an answer after the time. */
async function begin(stage: Stage, identity: Identity, count: number, signal: AbortSignal): Promise<number> {
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  let answered = 0;
  for (let connection = 0; connection < count / PER_CONNECTION; connection++) {
    const caller = stage.caller(identity);
    for (let at = 0; at < PER_CONNECTION; at++) {
      const stream = caller.open({
        method: 'POST',
        path: MAPS,
        body: BEGINNING,
        isEndless: true,
        signal: until,
      });
      if (stream === undefined) continue;
      stream.on('response', ({ ':status': status = 0 }) => {
        answered++;
        stage.tally.answer(status);
      });
      stream.resume();
    }
  }
  await hold(REFUSED_WITHIN_MS, signal);
  const wasCut = signal.aborted;
  stop.abort();
  return wasCut ? 0 : Math.ceil(count / PER_CONNECTION) * PER_CONNECTION - answered;
}
