export type { Outcome } from './run/outcome.ts';
export { run, type RunOptions } from './run/run.ts';
export * from './simulation.ts';
export type * from './plan/fault.ts';
