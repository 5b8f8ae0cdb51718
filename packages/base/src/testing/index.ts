export { runAlone, seedOf, testSeed, testSeeds } from './seeds.ts';
