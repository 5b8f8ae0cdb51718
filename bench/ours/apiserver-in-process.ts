// Our API server called from its own process: the same handlers, no sockets and no JSON. Prints one JSON object.
//
// Usage: node apiserver-in-process.ts write|read memory|sqlite COUNT
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigMap } from '@windlass/apimachinery/api/core/v1';
import { ApiServer, createMemoryStore, openSqliteStore } from '@windlass/apiserver';
import { type Client, createClient } from '@windlass/client';

const CALLERS = 32;
const DATA = { a: 'x'.repeat(700) };

async function inTurn(count: number, call: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const caller = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await call(index);
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return (count / (performance.now() - started)) * 1000;
}

async function measure(client: Client, what: string, count: number): Promise<Record<string, number>> {
  const maps = client.resource(ConfigMap).namespace('default');
  const write = (prefix: string) => (index: number) =>
    maps.create({ metadata: { name: `${prefix}${index}` }, data: DATA });
  const written = await inTurn(count, write('first')).then(() => inTurn(count, write('second')));
  if (what === 'write') return { creates: written };
  return { gets: await inTurn(count, (index) => maps.get(`second${index}`)) };
}

const [what = '', backend = '', count = ''] = process.argv.slice(2);
const folder = await mkdtemp(join(tmpdir(), 'windlass-bench-'));
try {
  const store = backend === 'memory' ? createMemoryStore() : await openSqliteStore(join(folder, 'state'));
  await using server = new ApiServer({ store });
  await server.ready();
  await using client = createClient({ transport: server.transport() });
  console.log(JSON.stringify(await measure(client, what, Number(count))));
} finally {
  await rm(folder, { recursive: true });
}
