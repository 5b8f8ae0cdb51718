import { type Cached, isBeingDeleted } from '@windlass/apimachinery';
import type { Service } from '@windlass/apimachinery/api/core/v1';

/** Keeps a service until its load balancer is gone. */
export const CLEANUP_FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

/** A service that names no class has this load balancer, and so has one that names this class. */
export const LOAD_BALANCER_CLASS = 'windlass.dev/load-balancer';

export type LoadBalancerPlan =
  | { readonly type: 'none' }
  /** It is to have this address. */
  | { readonly type: 'ensure'; readonly address: string; readonly isNew: boolean }
  /** It has no right to one any more. */
  | { readonly type: 'clean' }
  | { readonly type: 'fail'; readonly message: string };

/**
 * What a service's load balancer needs.
 *
 * @param isTaken whether another service has the address
 * @param pool all addresses there are to give, in order
 */
export function planLoadBalancer(
  service: Cached<Service>,
  isTaken: (address: string) => boolean,
  pool: Iterable<string>,
): LoadBalancerPlan {
  const hasFinalizer = service.metadata.finalizers?.includes(CLEANUP_FINALIZER) ?? false;
  if (!wantsLoadBalancer(service)) return hasFinalizer ? { type: 'clean' } : { type: 'none' };
  const current = service.status?.loadBalancer?.ingress?.[0]?.ip;
  const asked = service.spec?.loadBalancerIP ?? '';
  if (current !== undefined && (asked === '' || asked === current) && !isTaken(current))
    return hasFinalizer ? { type: 'none' } : { type: 'ensure', address: current, isNew: false };
  if (asked !== '') {
    if (isTaken(asked)) return { type: 'fail', message: `the address ${asked} is in use by another service` };
    return { type: 'ensure', address: asked, isNew: true };
  }
  for (const address of pool) if (!isTaken(address)) return { type: 'ensure', address, isNew: true };
  return {
    type: 'fail',
    message: 'all addresses for load balancers are in use; delete a service that has one',
  };
}

function wantsLoadBalancer(service: Cached<Service>): boolean {
  const { type, loadBalancerClass = LOAD_BALANCER_CLASS } = service.spec ?? {};
  return type === 'LoadBalancer' && loadBalancerClass === LOAD_BALANCER_CLASS && !isBeingDeleted(service);
}
