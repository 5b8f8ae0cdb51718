import { HorizontalPodAutoscaler as AutoscalerV1 } from '@windlass/apimachinery/api/autoscaling/v1';
import { HorizontalPodAutoscaler } from '@windlass/apimachinery/api/autoscaling/v2';
import { defineKind, storedAs } from '../../define-kind.ts';
import { autoscalerFromV1, autoscalerToV1, viewFromV1 } from './conversion.ts';
import { setAutoscalerDefaults, setAutoscalerV1Defaults } from './defaults.ts';
import { autoscalerPrinter } from './printer.ts';
import { validateAutoscaler, validateAutoscalerStatus } from './validation.ts';

export const horizontalPodAutoscaler = defineKind(HorizontalPodAutoscaler, {
  defaults: setAutoscalerDefaults,
  validation: {
    create: (object, findings) => validateAutoscaler(object, undefined, findings),
    update: validateAutoscaler,
    status: validateAutoscalerStatus,
  },
  printer: autoscalerPrinter,
});

/** Kept, checked and shown by what it means in the newer version. */
export const horizontalPodAutoscalerV1 = defineKind(AutoscalerV1, {
  defaults: setAutoscalerV1Defaults,
  validation: {
    create: (object, findings) => validateAutoscaler(viewFromV1(object), undefined, findings),
    update: (object, old, findings) => validateAutoscaler(viewFromV1(object), viewFromV1(old), findings),
    status: validateAutoscalerStatus,
  },
  printer: {
    columns: autoscalerPrinter.columns,
    cells: (object, now) => autoscalerPrinter.cells(viewFromV1(object), now),
  },
  storage: storedAs(HorizontalPodAutoscaler, { fromStorage: autoscalerToV1, toStorage: autoscalerFromV1 }),
});
