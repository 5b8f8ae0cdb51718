import { describe } from 'node:test';
import { closingContract } from './closing-contract.ts';
import type { ContractHarness } from './contract-harness.ts';
import { historyContract } from './history-contract.ts';
import { modelContract } from './model-contract.ts';
import { readingContract } from './reading-contract.ts';
import { restartContract } from './restart-contract.ts';
import { watchContract } from './watch-contract.ts';
import { writingContract } from './writing-contract.ts';

/** What every store must do, whatever it is made of. Each backend's test runs it. */
export function storeContract(harness: ContractHarness): void {
  void describe(`the store contract: ${harness.name}`, () => {
    writingContract(harness);
    readingContract(harness);
    historyContract(harness);
    watchContract(harness);
    closingContract(harness);
    restartContract(harness);
    modelContract(harness);
  });
}
