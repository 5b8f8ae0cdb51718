import type { Manager } from '@windlass/runtime';
import { CONTROLLERS } from './controller-list.ts';
import type { AutoscalerOptions } from './options/autoscaler-options.ts';
import type { ServingApproval, SigningAuthority } from './options/controller-options.ts';
import type { NodeLifecycleOptions } from './options/node-lifecycle-options.ts';
import { selectControllers } from './select-controllers.ts';

/** Which controllers of the controller manager run, and how. */
export interface AddControllersOptions {
  /**
   * Which ones: names or short names, `*` for all, and `-name` for all but that one. The first entry that
   * names a controller decides.
   * @default all
   */
  readonly controllers?: readonly string[];
  /** How many keys a controller works on at a time, by its name. @default as described */
  readonly concurrency?: Readonly<Record<string, number>>;
  /** PEM of the authority by which pods know the API server. @default none is published */
  readonly rootCa?: string;
  /** PEM of the private key that signs tokens in secrets. @default none is signed */
  readonly serviceAccountKey?: string;
  /** The authority that signs certificates. @default none is signed */
  readonly signing?: SigningAuthority;
  /** Approves the serving certificates of nodes for their own addresses. @default they are left to people */
  readonly servingApproval?: ServingApproval;
  /** IPv4 block of which services of type LoadBalancer get their addresses. @default they get none here */
  readonly loadBalancerCidr?: string;
  /** How patient the node lifecycle controller is. @default as Kubernetes is */
  readonly nodeLifecycle?: NodeLifecycleOptions;
  /** How often autoscalers look, and how careful they are. @default as Kubernetes is */
  readonly horizontalPodAutoscaler?: AutoscalerOptions;
}

/** Adds the controllers to a manager, which runs them. Before it starts, or at any time. */
export function addControllers(manager: Manager, options: AddControllersOptions = {}): void {
  for (const { name, concurrency, add } of selectControllers(CONTROLLERS, options.controllers ?? ['*']))
    add(manager, {
      name,
      concurrency: options.concurrency?.[name] ?? concurrency,
      rootCa: options.rootCa,
      serviceAccountKey: options.serviceAccountKey,
      signing: options.signing,
      servingApproval: options.servingApproval,
      loadBalancerCidr: options.loadBalancerCidr,
      nodeLifecycle: options.nodeLifecycle,
      horizontalPodAutoscaler: options.horizontalPodAutoscaler,
    });
}
