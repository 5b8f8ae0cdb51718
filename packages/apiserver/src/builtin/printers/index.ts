import { accessPrinters } from './access.ts';
import { autoscalerPrinter, autoscalerV1Printer } from './autoscaler.ts';
import type { Printers } from './columns.ts';
import { corePrinters } from './core.ts';
import { devicePrinters } from './devices.ts';
import { coreEventPrinter, eventsGroupPrinter } from './event.ts';
import { networkPrinters } from './network.ts';
import { policyPrinters } from './policy.ts';
import { volumePrinters } from './volumes.ts';
import { workloadPrinters } from './workloads.ts';

/** How `kubectl get` shows each built-in kind. Those that are not here show their name and age. */
export const builtinPrinters: Printers = Object.freeze({
  ...corePrinters,
  ...workloadPrinters,
  ...networkPrinters,
  ...volumePrinters,
  ...accessPrinters,
  ...policyPrinters,
  ...devicePrinters,
  '/v1/Event': coreEventPrinter,
  'events.k8s.io/v1/Event': eventsGroupPrinter,
  'autoscaling/v1/HorizontalPodAutoscaler': autoscalerV1Printer,
  'autoscaling/v2/HorizontalPodAutoscaler': autoscalerPrinter,
});
