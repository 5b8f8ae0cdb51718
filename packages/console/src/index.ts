export { pageAssets } from './assets/page-assets.ts';
export { type LiveConsoleOptions, liveConsole } from './live-console.ts';
export type * from './protocol.ts';
export {
  LoopRecorder,
  type LoopRecorderOptions,
  type ObservedController,
  type RunOf,
} from './recorder/loop-recorder.ts';
export { type Asset, Console, type ConsoleOptions, type Tries } from './server/console.ts';
export { TryError } from './server/parse-try.ts';
export { type RunningConsole, type StartConsoleOptions, startConsole } from './server/start-console.ts';
