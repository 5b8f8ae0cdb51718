// Bad days of our own cluster, a few in each run of the tests. WINDLASS_SEEDS for more, WINDLASS_SEED for others.
import { testSeeds } from '@windlass/base/testing';
import { simulationTest } from '@windlass/simulation';
import binding from './simulations/binding.ts';
import placement from './simulations/placement.ts';
import shards from './simulations/shards.ts';
import volumes from './simulations/volumes.ts';
import workloads from './simulations/workloads.ts';

simulationTest('our controllers, scheduler and kubelet keep their word', {
  ...workloads.options,
  seeds: testSeeds(4).map(Math.abs),
});

simulationTest('our storage keeps its word, from claim to mount', {
  ...volumes.options,
  seeds: testSeeds(3).map(Math.abs),
});

simulationTest('our scheduler and binder keep their word, from claim to node', {
  ...binding.options,
  seeds: testSeeds(4).map(Math.abs),
});

simulationTest('our scheduler finds each pod a node, and overfills none', {
  ...placement.options,
  seeds: testSeeds(3).map(Math.abs),
});

simulationTest('replicas that share objects keep their word', {
  ...shards.options,
  seeds: testSeeds(3).map(Math.abs),
});
