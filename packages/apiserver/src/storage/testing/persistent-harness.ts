import type { TestContext } from 'node:test';
import type { Store } from '../store.ts';
import type { ContractHarness } from './contract-harness.ts';

export interface PersistentBackend {
  readonly name: string;
  readonly modelRuns: number;
  directory(context: TestContext): string;
  open(directory: string): Promise<Store>;
}

/** The harness of a store that lives in a directory. */
export function persistentHarness(backend: PersistentBackend): ContractHarness {
  const directories = new WeakMap<Store, string>();
  const open = async (context: TestContext, directory: string): Promise<Store> => {
    const store = await backend.open(directory);
    directories.set(store, directory);
    context.after(() => store.close());
    return store;
  };
  return {
    name: backend.name,
    modelRuns: backend.modelRuns,
    open: (context) => open(context, backend.directory(context)),
    reopen: async (context, store) => {
      await store.close();
      return open(context, directories.get(store) ?? '');
    },
  };
}
