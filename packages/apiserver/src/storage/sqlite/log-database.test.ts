import { memoryDirectory } from '../testing/directories.ts';
import { openInThread } from '../testing/in-thread-store.ts';
import { persistentHarness } from '../testing/persistent-harness.ts';
import { storeContract } from '../testing/store-contract.ts';

storeContract(
  persistentHarness({
    name: 'SQLite without its thread',
    modelRuns: 40,
    directory: memoryDirectory,
    open: async (directory) => openInThread(directory),
  }),
);
