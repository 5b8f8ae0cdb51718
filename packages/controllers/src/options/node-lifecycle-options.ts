/** How patient the controller is with nodes, and how fast it moves pods off them. */
export interface NodeLifecycleOptions {
  /** How often nodes are looked at. @default 5000 */
  readonly monitorPeriodMs?: number;
  /** So long a node may be silent. @default 50000 */
  readonly graceMs?: number;
  /** So long a node may take to report for the first time. @default 60000 */
  readonly startupGraceMs?: number;
  /** Nodes a second and zone whose pods are moved. @default 0.1 */
  readonly evictionRate?: number;
  /** The same where most of a great zone is not well. @default 0.01 */
  readonly secondaryEvictionRate?: number;
  /** Beyond so many nodes a zone is great; in a small one nothing is moved then. @default 50 */
  readonly largeZoneSize?: number;
  /** With such a part of its nodes not well, a zone is not well. @default 0.55 */
  readonly unhealthyThreshold?: number;
}

export const DEFAULT_NODE_LIFECYCLE = Object.freeze({
  monitorPeriodMs: 5000,
  graceMs: 50_000,
  startupGraceMs: 60_000,
  evictionRate: 0.1,
  secondaryEvictionRate: 0.01,
  largeZoneSize: 50,
  unhealthyThreshold: 0.55,
}) satisfies Required<NodeLifecycleOptions>;
