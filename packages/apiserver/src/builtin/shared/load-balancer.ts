/** Where a load balancer answers; empty when it has no address yet. */
export function loadBalancerText(
  ingress: readonly { readonly ip?: string; readonly hostname?: string }[] | null | undefined,
): string {
  const found = new Set((ingress ?? []).map(({ ip, hostname }) => ip || hostname || ''));
  found.delete('');
  return [...found].toSorted().join(',');
}
