import type { Attack } from '../attack.ts';
import { ATTACK_NAMESPACE } from '../people.ts';
import { hold, swarm } from '../swarm.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const PER_CONNECTION = 200;
const WRITES = 20;

/** One user opens very many watches and writes what all of them see. */
export const watches: Attack = {
  name: 'watches',
  summary: 'opens 600 to 2,000 watches as one user, and writes what all of them see',
  async start(stage, signal) {
    const count = stage.size(600, 2000);
    const opened = { open: 0, refused: 0, other: 0 };
    const callers = Array.from({ length: Math.ceil(count / PER_CONNECTION) }, () =>
      stage.caller(stage.people.writer),
    );
    await swarm(count, 50, signal, async (index) => {
      const caller = callers[Math.floor(index / PER_CONNECTION)];
      const stream = caller?.open({ path: `${MAPS}?watch=true&timeoutSeconds=60`, signal });
      if (stream === undefined) return;
      const status = await new Promise<number>((resolve) => {
        stream.on('response', ({ ':status': code = 0 }) => resolve(code));
        stream.on('close', () => resolve(0));
      });
      stage.tally.answer(status);
      stream.resume();
      if (status === 200) opened.open++;
      else if (status === 429) opened.refused++;
      else if (!signal.aborted) opened.other++;
    });
    const writer = stage.caller(stage.people.writer);
    for (let write = 0; write < WRITES && !signal.aborted; write++) {
      const name = `watched-${write}`;
      await writer.ask({ method: 'POST', path: MAPS, body: { metadata: { name } } });
      await writer.ask({ method: 'DELETE', path: `${MAPS}/${name}` });
      await hold(100, signal);
    }
    const found: string[] = [];
    if (opened.open === 0) found.push('no watch at all was opened to a user with the right to watch');
    if (opened.other > 0) found.push(`${opened.other} watches were neither opened nor refused with 429`);
    return found;
  },
};
