/** Where our server answers otherwise, and why that is as it should be. Keep it short. */
export interface KnownDifference {
  /** Of `KIND | STEP | PLACES`, the places in lines of their own. */
  readonly pattern: RegExp;
  /** Of the request, `METHOD PATH QUERY BODY`, where not every one may differ so. */
  readonly request?: RegExp;
  readonly reason: string;
  /** A seed that meets it, whose run says when it is gone. @default the seed of a run that names none */
  readonly seed?: number;
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
    pattern: /^(?:EndpointSlice|Endpoints) \| [^]*managedFields\.[^\n]*(?:f:ports: real \{\}|f:subsets)/,
    reason: 'an empty list of ports or addresses is a change upstream only because Go tells it from none',
    seed: 10,
  },
  {
    pattern:
      /^HorizontalPodAutoscaler \| [^]*f:annotations[^\n]*autoscaling\.alpha\.kubernetes\.io\/current-metrics/,
    reason: 'upstream lets whoever writes a status in v1 own the annotation that its conversion makes of it',
    seed: 2,
  },
  {
    pattern:
      /^Job \| [^|]* status \| [^]*status\.startTime: Invalid value: [^]*immutable for unsuspended job/,
    reason: 'upstream compares the fraction of a second that it does not keep',
    seed: 4,
  },
  {
    pattern: /^StatefulSet \| [^]*updateStrategy\.rollingUpdate\.maxUnavailable/,
    reason: 'upstream drops it unless a feature gate is open; ours serves it, and its controller obeys it',
    seed: 5,
  },
  {
    pattern: /^\w+ \| [^]*lifecycle\.stopSignal: Forbidden/,
    reason: 'upstream drops it before it is looked at, unless a feature gate is open',
    seed: 6,
  },
  {
    pattern:
      /^Service \| create \| lacks: [^]*IPAddress[^]*spec\.parentRef\.name: (?:Required value|Invalid value: "[^\n]*": may not)/,
    reason: 'upstream notes the address of a service under its name before it sees that it is none',
    seed: 7,
  },
  {
    pattern: /^NetworkPolicy \| [^]*managedFields\.[^\n]*f:spec\.f:(?:in|e)gress/,
    request: /:\[\]/,
    reason: 'an empty list within a rule makes it another one upstream only because Go tells it from none',
    seed: 12,
  },
  {
    pattern: /^Node \| [^|]* status \| [^]*allocatable/,
    request: /"allocatable":\{\}/,
    reason:
      'what is allocatable is the capacity where there is none; upstream takes an empty map for none later',
    seed: 18,
  },
  {
    pattern: /^NetworkPolicy \|[^]*generation: real/,
    reason: 'a list that is there and empty counts as a change upstream only because Go tells it from none',
  },
  {
    pattern: /failed to create manager for existing fields/,
    reason: 'upstream tells where within its merge it gave up',
  },
  {
    pattern: /^PersistentVolumeClaim \| [^|]+ \| \.version: real "new", ours "same"$/,
    reason:
      'upstream stores a new claim without its phase, which is a default of every read: the first write that changes nothing else stores it',
  },
];
