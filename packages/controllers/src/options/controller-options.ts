import type { KeyPair } from '@windlass/base';
import type { AutoscalerOptions } from './autoscaler-options.ts';
import type { NodeLifecycleOptions } from './node-lifecycle-options.ts';

/** Signs the certificates of nodes and of those who ask for one. */
export interface SigningAuthority extends KeyPair {
  /** @default one year */
  readonly maxValidityMs?: number;
}

/** Whether serving certificates of nodes are approved without people. */
export interface ServingApproval {
  /** Names and addresses that are somebody else's, such as the API server's. */
  readonly reservedHosts: readonly string[];
}

/** What every controller is given. */
export interface ControllerOptions {
  readonly name: string;
  /** How many keys it works on at a time. */
  readonly concurrency: number;
  /** PEM of the authority by which pods know the API server; undefined when it is not known. */
  readonly rootCa: string | undefined;
  /** PEM of the private key that signs tokens of service accounts; undefined when none does. */
  readonly serviceAccountKey: string | undefined;
  /** The authority that signs certificates; undefined when none does. */
  readonly signing: SigningAuthority | undefined;
  /** Whether nodes get certificates for their own addresses without people; undefined when they do not. */
  readonly servingApproval: ServingApproval | undefined;
  /** IPv4 block of which load balancers get their addresses; undefined when somebody else gives them. */
  readonly loadBalancerCidr: string | undefined;
  readonly nodeLifecycle: NodeLifecycleOptions | undefined;
  readonly horizontalPodAutoscaler: AutoscalerOptions | undefined;
}
