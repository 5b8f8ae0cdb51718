import { realClock } from '@windlass/base';
import type { Attack, Stage } from '../attack.ts';
import { Caller } from '../caller.ts';
import { ATTACK_NAMESPACE } from '../people.ts';
import { hold } from '../swarm.ts';

const MAPS = `/api/v1/namespaces/${ATTACK_NAMESPACE}/configmaps`;
const WRITERS = 16;
const LIVES_MS = 400;

/** Kills the server under writers. Every write that was answered is there after the next start, and whole. */
export const kills: Attack = {
  name: 'kills',
  summary: 'ends the server with kill -9 under 16 writers, 2 to 20 times, and looks for every answered write',
  isExclusive: true,
  async start(stage, signal) {
    const answered = new Map<string, string>();
    const found: string[] = [];
    for (let round = 0; round < stage.size(2, 20) && (round === 0 || !signal.aborted); round++) {
      await killUnderWriters(stage, round, answered);
      const lost = await missing(stage, answered);
      if (lost.length > 0)
        found.push(
          `after kill ${round + 1}, ${lost.length} of ${answered.size} answered writes are lost: ${lost[0]}`,
        );
    }
    if (answered.size === 0) found.push('no write was answered before a kill: the attack does not work');
    const admin = stage.caller(stage.people.admin);
    await admin.ask({ method: 'DELETE', path: `${MAPS}?labelSelector=by%3Dkills`, timeoutMs: 60_000 });
    return found;
  },
};

async function killUnderWriters(stage: Stage, round: number, answered: Map<string, string>): Promise<void> {
  const over = new AbortController();
  const work = async (writer: number): Promise<void> => {
    const caller = new Caller(stage.place, stage.people.admin, stage.tally);
    for (let write = 0; !over.signal.aborted; write++) {
      const name = `kill-${round}-${writer}-${write}`;
      const value = `${name}-${'x'.repeat(stage.random.int(4000))}`;
      const body = { metadata: { name, labels: { by: 'kills' } }, data: { value } };
      const { status } = await caller.ask({ method: 'POST', path: MAPS, body, timeoutMs: 5000 });
      if (status === 201) answered.set(name, value);
    }
    caller.close();
  };
  const writers = Array.from({ length: WRITERS }, (_, writer) => work(writer));
  await hold(LIVES_MS + stage.random.int(LIVES_MS), new AbortController().signal);
  await stage.victim.stop('SIGKILL');
  over.abort();
  await Promise.all(writers);
  await stage.victim.start();
}

async function missing(stage: Stage, answered: ReadonlyMap<string, string>): Promise<string[]> {
  const caller = new Caller(stage.place, stage.people.admin, stage.tally);
  const there = new Map<string, string>();
  let token = '';
  const deadline = realClock.monotonic() + 60_000;
  do {
    const path = `${MAPS}?labelSelector=by%3Dkills&limit=500&continue=${encodeURIComponent(token)}`;
    const { text } = await caller.ask({ path });
    const list = JSON.parse(text) as {
      metadata: { continue?: string };
      items: { metadata: { name: string }; data: { value: string } }[];
    };
    for (const { metadata, data } of list.items) there.set(metadata.name, data.value);
    token = list.metadata.continue ?? '';
  } while (token !== '' && realClock.monotonic() < deadline);
  caller.close();
  return [...answered].filter(([name, value]) => there.get(name) !== value).map(([name]) => name);
}
