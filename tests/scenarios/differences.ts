// Where what comes of a scenario under our controllers is not what comes of it under kube-controller-manager,
// and why that is meant to be. Everything else is a defect.

export interface KnownDifference {
  /** Of the line of the difference: `- …` is only the peer's, `+ …` only ours. */
  readonly pattern: RegExp;
  readonly reason: string;
  /**
   * For what comes out one way or the other under the peer alone too: only there, and it need not come. Unset: it
   * comes in every run, wherever the pattern fits.
   */
  readonly mayVaryIn?: string;
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
  {
    mayVaryIn: 'a deployment that recreates never has old and new pods at once',
    pattern:
      /^[-+] Deployment web: \/status\/conditions\/Progressing\/message = "ReplicaSet \\"web-<web:[12]>\\" has successfully progressed\."$/,
    reason:
      'A complete deployment keeps its condition while as many pods are there as are new. Where the controller looks ' +
      'between the end of the first old pod and that of the last, it sees progress, and then names the new set; where ' +
      'both go between two looks, it sees none of each, and keeps the name of the old one.',
  },
];
