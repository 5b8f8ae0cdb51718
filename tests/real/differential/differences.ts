/** Where our server answers otherwise, and why that is as it should be. Keep it short. */
export interface KnownDifference {
  /** Of `KIND | STEP | PLACES`, the places in lines of their own. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    pattern: /json: cannot unmarshal .* of type/,
    reason: "Go's decoder tells the names of its types, and leaves out the keys of maps",
  },
  {
    pattern: /^Widget \| apply scale/,
    reason: 'kube-apiserver cannot apply to the scale of a custom resource at all; ours can',
  },
  {
    pattern: /f:spec\.f:replicas: real nothing, ours \{\}/,
    reason: 'kube-apiserver forgets who owned the replicas when a scale changes nothing',
  },
  {
    pattern: /managedFields\.[^\n]*(?:f:limits|f:rules|f:drivers|f:currentMetrics|f:endpoints)/,
    reason:
      'a list that is empty from the beginning has an owner upstream only because Go tells it from none',
  },
  {
    pattern: /^NetworkPolicy \|[^]*generation: real/,
    reason: 'a list that is there and empty counts as a change upstream only because Go tells it from none',
  },
  {
    pattern: /failed to create manager for existing fields/,
    reason: 'upstream tells where within its merge it gave up',
  },
];
