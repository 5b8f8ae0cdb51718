import type { BuiltinKind } from '../define-kind.ts';
import { ingress } from './ingress/index.ts';
import { ingressClass } from './ingress-class/index.ts';
import { ipAddress } from './ip-address/index.ts';
import { networkPolicy } from './network-policy/index.ts';
import { serviceCidr } from './service-cidr/index.ts';

export const networkingKinds: readonly BuiltinKind[] = [
  ingress,
  ingressClass,
  ipAddress,
  networkPolicy,
  serviceCidr,
];
