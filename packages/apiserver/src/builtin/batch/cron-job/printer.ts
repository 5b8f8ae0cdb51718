import type { CronJob } from '@windlass/apimachinery/api/batch/v1';
import { containerCells, SELECTED_CONTAINERS } from '../../core/pod-spec/columns.ts';
import type { PrinterOf } from '../../define-kind.ts';
import { AGE_COLUMN, ageOf, column, NONE, printer, selectorText, since } from '../../shared/columns.ts';

export const cronJobPrinter: PrinterOf<CronJob> = printer(
  [
    column('Schedule'),
    column('Timezone'),
    column('Suspend', 'boolean'),
    column('Active', 'integer'),
    column('Last Schedule'),
    AGE_COLUMN,
    ...SELECTED_CONTAINERS,
  ],
  (object, now) => {
    const { spec, status } = object;
    const job = spec?.jobTemplate?.spec;
    const last = status?.lastScheduleTime ?? '';
    return [
      spec?.schedule ?? '',
      spec?.timeZone || NONE,
      spec?.suspend === true ? 'True' : 'False',
      (status?.active ?? []).length,
      last === '' ? NONE : since(last, now),
      ageOf(object, now),
      ...containerCells(job?.template?.spec),
      selectorText(job?.selector),
    ];
  },
);
