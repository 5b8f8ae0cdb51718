type Labels = Readonly<Record<string, string>>;

/** Those of Kubernetes' own labels that a kubelet knows better than anybody. */
const KUBELET_LABELS: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'beta.kubernetes.io/instance-type',
  'node.kubernetes.io/instance-type',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
]);

/** The labels that differ and that no node may set on itself: by them it could draw pods to itself. */
export function forbiddenNodeLabels(now: Labels, before: Labels): string[] {
  const keys = new Set([...Object.keys(now), ...Object.keys(before)]);
  return [...keys].filter((key) => now[key] !== before[key] && isForbidden(key)).toSorted();
}

function isForbidden(key: string): boolean {
  const slash = key.indexOf('/');
  const domain = slash === -1 ? '' : key.slice(0, slash);
  const isIn = (parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);
  if (isIn('node-restriction.kubernetes.io')) return true;
  if (!isIn('kubernetes.io') && !isIn('k8s.io')) return false;
  return !KUBELET_LABELS.has(key) && !isIn('kubelet.kubernetes.io') && !isIn('node.kubernetes.io');
}
