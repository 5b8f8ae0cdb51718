// A program that ends the process that it runs in, for the tests of `windlass sim`.
import { defineSimulation } from '@windlass/simulation';

export const ends = defineSimulation('ends', {
  processes: {
    operator: () => {
      process.stdout.write('goodbye\n');
      process.exit(3);
    },
  },
  workload: () => Promise.resolve(),
});
