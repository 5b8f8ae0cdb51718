// A program that ends the process that it runs in, for the tests of `windlass sim`.
import { defineSimulation } from '@windlass/simulation';

export default defineSimulation('ends', {
  processes: {
    operator: () => {
      console.log('goodbye');
      process.exit(3);
    },
  },
  workload: () => Promise.resolve(),
});
