import { ApiServer, createMemoryStore, type StoredList } from '@windlass/apiserver';
import { silentLogger } from '@windlass/base';
import { ProcessClock, VirtualTime } from '../time/virtual-time.ts';

/** What an API server makes in an empty store before it serves: roles, flow schemas, namespaces. */
export type Booted = Pick<StoredList, 'items' | 'revision'>;

let booted: Promise<Booted> | undefined;

/** Made once, because it is the same for every run and takes as long as a small run does. */
export function bootedServer(): Promise<Booted> {
  booted ??= boot();
  return booted;
}

async function boot(): Promise<Booted> {
  const time = new VirtualTime(0);
  const clock = new ProcessClock(time, 'server');
  const random = time.randomFor('boot');
  const store = createMemoryStore({ clock, random });
  const server = new ApiServer({ store, clock, random, logger: silentLogger });
  await server.ready();
  const contents = await store.list('/');
  await server.close();
  return contents;
}
