import { createMemoryStore } from './memory-store.ts';
import { storeContract } from './testing/store-contract.ts';

storeContract({
  name: 'memory',
  modelRuns: 150,
  open: async (context) => {
    const store = createMemoryStore();
    context.after(() => store.close());
    return store;
  },
  reopen: undefined,
});
