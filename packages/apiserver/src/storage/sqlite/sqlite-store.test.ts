import { memoryDirectory } from '../testing/directories.ts';
import { persistentHarness } from '../testing/persistent-harness.ts';
import { storeContract } from '../testing/store-contract.ts';
import { openSqliteStore } from './sqlite-store.ts';

storeContract(
  persistentHarness({
    name: 'SQLite',
    modelRuns: 3,
    directory: memoryDirectory,
    open: (directory) => openSqliteStore(directory),
  }),
);
