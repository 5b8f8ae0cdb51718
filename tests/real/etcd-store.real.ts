// The store on a real etcd: held to the contract that all stores are held to. ETCD_PROGRAM names another etcd than the
// machine's.
import { after, before, type TestContext } from 'node:test';
import { openEtcdStore } from '../../packages/apiserver/src/storage/etcd/etcd-store.ts';
import type { Store } from '../../packages/apiserver/src/storage/store.ts';
import { RelativeStore } from '../../packages/apiserver/src/storage/testing/relative-store.ts';
import { storeContract } from '../../packages/apiserver/src/storage/testing/store-contract.ts';
import { type EtcdServers, startEtcdServers } from './support/etcd-server.ts';

let etcd: EtcdServers;
before(async () => {
  etcd = await startEtcdServers();
});
after(async () => {
  await etcd[Symbol.asyncDispose]();
});

let prefixes = 0;
const prefixOf = new WeakMap<Store, string>();

async function open(context: TestContext, prefix: string, base?: number): Promise<Store> {
  const opened = await openEtcdStore({ servers: etcd.urls, prefix, compactionMs: 0 });
  const store = new RelativeStore(opened, base ?? opened.revision);
  prefixOf.set(store, prefix);
  context.after(() => store.close());
  return store;
}

storeContract({
  name: 'etcd',
  modelRuns: 40,
  open: (context) => open(context, `/contract-${prefixes++}`),
  async reopen(context, store) {
    await store.close();
    // Only these are opened here.
    return open(context, prefixOf.get(store) ?? '', (store as RelativeStore).base);
  },
});
