import type { CSIDriver } from '@windlass/apimachinery/api/storage/v1';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer, UNSET } from '../../shared/columns.ts';

export const csiDriverPrinter: PrinterOf<CSIDriver> = printer(
  [
    column('AttachRequired', 'boolean'),
    column('PodInfoOnMount', 'boolean'),
    column('StorageCapacity', 'boolean'),
    column('TokenRequests'),
    column('RequiresRepublish', 'boolean'),
    column('Modes'),
    AGE_COLUMN,
  ],
  (driver, now) => {
    const { spec = {} } = driver;
    const modes = spec.volumeLifecycleModes ?? [];
    return [
      spec.attachRequired ?? true,
      spec.podInfoOnMount ?? false,
      spec.storageCapacity ?? false,
      spec.tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? UNSET,
      spec.requiresRepublish ?? false,
      modes.length === 0 ? NONE : modes.join(','),
      ageOf(driver, now),
    ];
  },
);
