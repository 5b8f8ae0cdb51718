import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realClock } from '@windlass/base';
import type { Attack, Stage } from '../attack.ts';
import { Caller } from '../caller.ts';
import { complained } from '../complaints.ts';
import { gatherPeople } from '../people.ts';
import type { Place } from '../place.ts';
import { hold } from '../swarm.ts';
import { Victim } from '../victim.ts';

const PROMISED_MS = 10_000;
/** After so long it is killed. */
const PATIENCE_MS = 30_000;
const LOAD_MS = 1500;
const CLIENTS = 16;
const MAPS = '/api/v1/namespaces/attack/configmaps';

/** SIGTERM to a server with many nodes, under load, with watches and half sent bodies open. */
export const stopUnderLoad: Attack = {
  name: 'stop-under-load',
  summary: 'sends SIGTERM to a server with 100 to 500 nodes under writers, watches and endless bodies: 10 s',
  isExclusive: true,
  async start(stage) {
    const folder = await mkdtemp(join(tmpdir(), 'windlass-attack-stop-'));
    const victim = new Victim(folder, ['--nodes', String(stage.size(100, 500)), '--drives', '0']);
    try {
      const place = await victim.start();
      await gatherPeople(place, folder);
      return await stopIt(stage, victim, place);
    } finally {
      await victim.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function stopIt(stage: Stage, victim: Victim, place: Place): Promise<string[]> {
  const people = await gatherPeople(place, victim.dataDir);
  const callers = Array.from({ length: CLIENTS }, () => new Caller(place, people.admin, stage.tally));
  const over = new AbortController();
  const work = async (caller: Caller, index: number): Promise<void> => {
    caller.open({ path: `${MAPS}?watch=true` })?.resume();
    caller.open({ method: 'POST', path: MAPS, body: '{"metadata":', isEndless: true });
    for (let write = 0; !over.signal.aborted; write++)
      await caller.ask({
        method: 'POST',
        path: MAPS,
        body: { metadata: { name: `stop-${index}-${write}` } },
        timeoutMs: 2000,
      });
  };
  const load = callers.map(work);
  await hold(LOAD_MS, new AbortController().signal);
  const began = realClock.monotonic();
  const ended = victim.stop('SIGTERM');
  const patience = new AbortController();
  const code = await Promise.race([ended, hold(PATIENCE_MS, patience.signal).then(() => 'late' as const)]);
  patience.abort();
  const ms = realClock.monotonic() - began;
  over.abort();
  for (const caller of callers) caller.close();
  await Promise.all(load);
  const complaints = complained(victim.newComplaints());
  if (code === 'late') return [`SIGTERM under load: not ended after ${PATIENCE_MS / 1000} s`, ...complaints];
  if (ms > PROMISED_MS)
    return [`SIGTERM under load took ${(ms / 1000).toFixed(1)} s; 10 are promised`, ...complaints];
  return code === 0 ? complaints : [`SIGTERM under load ended with the code ${code}`, ...complaints];
}
