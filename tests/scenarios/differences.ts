// Where what comes of a scenario under our controllers is not what comes of it under kube-controller-manager,
// and why that is meant to be. Everything else is a defect.

export interface KnownDifference {
  /** Of the line of the difference: `- …` is only the peer's, `+ …` only ours. */
  readonly pattern: RegExp;
  readonly reason: string;
}

export const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  {
    pattern: /^[-+] ConfigMap kube-root-ca\.crt: \/metadata\/annotations\/kubernetes\.io~1description = /,
    reason: 'What the published certificate is for, each says in its own words.',
  },
  {
    pattern: /^[-+] Event: PodDisruptionBudget guard: Warning UnmanagedPods by controllermanager: /,
    reason: 'What pods without a controller mean for a budget, each says in its own words.',
  },
];
