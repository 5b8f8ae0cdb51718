export { EXEC_FAULT_KINDS, type ExecOptions, execExplorer, runExec } from './exec/run-exec.ts';
export type { JournalEntry } from './journal-entry.ts';
export { describeFault } from './plan/describe-fault.ts';
export type * from './plan/fault.ts';
export { pageOf } from './report/page.ts';
export { testToPaste } from './report/paste.ts';
export { failureText, timelineText } from './report/timeline.ts';
export { Explorer } from './run/explorer.ts';
export type { Failure, OracleName } from './run/failure.ts';
export type { Outcome } from './run/outcome.ts';
export * from './simulation.ts';
export {
  type RegisterTest,
  SimulationFailedError,
  type SimulationTestOptions,
  simulate,
  simulationTest,
} from './simulation-test.ts';
export { State } from './state.ts';
export type { TraceEntry } from './world/trace.ts';
