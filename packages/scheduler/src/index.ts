export { admissionCheck } from './admission-check.ts';
export type { ClusterEvent } from './framework/cluster-event.ts';
export type { DeviceSelectors, DeviceView, SelectableDevice } from './framework/device-view.ts';
export type {
  BindingPlugin,
  ClusterView,
  FilterPlugin,
  FilterState,
  PreFilterResult,
  Rejection,
  ScorePlugin,
} from './framework/plugin.ts';
export type { VolumeView } from './framework/volume-view.ts';
export { DEFAULT_FILTERS, DEFAULT_SCORES } from './plugins/default-plugins.ts';
export { DEFAULT_SCHEDULER_NAME, Scheduler, type SchedulerOptions } from './scheduler.ts';
