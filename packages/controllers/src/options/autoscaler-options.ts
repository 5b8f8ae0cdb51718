/** How often autoscalers look, and how careful they are. */
export interface AutoscalerOptions {
  /** How often metrics are looked at. A new autoscaler waits as long. @default 15000 */
  readonly syncPeriodMs?: number;
  /** So far from its target a metric may be without anything being done; 0.1 is a tenth. @default 0.1 */
  readonly tolerance?: number;
  /** For so long the highest that was asked for counts before anything is taken away. @default 300000 */
  readonly downscaleStabilizationMs?: number;
  /** For so long after its start a pod's use of processors may say little about its work. @default 300000 */
  readonly cpuInitializationMs?: number;
  /** A pod that was not ready from so early on has never been. @default 30000 */
  readonly initialReadinessDelayMs?: number;
}

export type AutoscalerSettings = Required<AutoscalerOptions>;

export const DEFAULT_AUTOSCALER: AutoscalerSettings = Object.freeze({
  syncPeriodMs: 15_000,
  tolerance: 0.1,
  downscaleStabilizationMs: 300_000,
  cpuInitializationMs: 300_000,
  initialReadinessDelayMs: 30_000,
});
