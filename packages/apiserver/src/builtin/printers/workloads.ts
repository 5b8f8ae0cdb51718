import { humanDuration, selectorFromObject } from '@windlass/apimachinery';
import type { Stored } from '../../resource/strategy.ts';
import { type Fields, objectAt, objectsAt } from '../values.ts';
import {
  AGE_COLUMN,
  ageOf,
  CONTAINER_COLUMNS,
  column,
  containerCells,
  isConditionTrue,
  labelsText,
  NONE,
  numberAt,
  type Printers,
  printer,
  selectorText,
  since,
  templateSpec,
  textAt,
  timeAt,
  wide,
} from './columns.ts';

const SELECTED_CONTAINERS = [...CONTAINER_COLUMNS, wide('Selector')] as const;
const COUNTS = [
  column('Desired', 'integer'),
  column('Current', 'integer'),
  column('Ready', 'integer'),
] as const;

const specAt = (object: Stored): Fields | undefined => objectAt(object, 'spec');
const statusAt = (object: Stored): Fields | undefined => objectAt(object, 'status');

/** Copies: desired, there, ready. */
function replicaCells(object: Stored, now: number): (string | number)[] {
  const status = statusAt(object);
  return [
    numberAt(specAt(object), 'replicas'),
    numberAt(status, 'replicas'),
    numberAt(status, 'readyReplicas'),
    ageOf(object, now),
    ...containerCells(templateSpec(object)),
  ];
}

const readyOf = (object: Stored): string =>
  `${numberAt(statusAt(object), 'readyReplicas')}/${numberAt(specAt(object), 'replicas')}`;

const selectorOf = (object: Stored): string => selectorText(objectAt(specAt(object), 'selector'));

export const workloadPrinters: Printers = {
  '/v1/ReplicationController': printer([...COUNTS, AGE_COLUMN, ...SELECTED_CONTAINERS], (object, now) => [
    ...replicaCells(object, now),
    labelsText(objectAt(specAt(object), 'selector')),
  ]),
  '/v1/PodTemplate': printer([column('Containers'), column('Images'), column('Pod Labels')], (object) => {
    const template = objectAt(object, 'template');
    return [
      ...containerCells(objectAt(template, 'spec')),
      labelsText(objectAt(objectAt(template, 'metadata'), 'labels')),
    ];
  }),
  'apps/v1/ReplicaSet': printer([...COUNTS, AGE_COLUMN, ...SELECTED_CONTAINERS], (object, now) => [
    ...replicaCells(object, now),
    selectorOf(object),
  ]),
  'apps/v1/Deployment': printer(
    [column('Ready'), column('Up-to-date'), column('Available'), AGE_COLUMN, ...SELECTED_CONTAINERS],
    (object, now) => [
      readyOf(object),
      numberAt(statusAt(object), 'updatedReplicas'),
      numberAt(statusAt(object), 'availableReplicas'),
      ageOf(object, now),
      ...containerCells(templateSpec(object)),
      // Unlike other kinds, one that selects everything shows nothing.
      selectorFromObject(objectAt(specAt(object), 'selector')).toString(),
    ],
  ),
  'apps/v1/StatefulSet': printer([column('Ready'), AGE_COLUMN, ...CONTAINER_COLUMNS], (object, now) => [
    readyOf(object),
    ageOf(object, now),
    ...containerCells(templateSpec(object)),
  ]),
  'apps/v1/DaemonSet': printer(
    [
      ...COUNTS,
      column('Up-to-date', 'integer'),
      column('Available', 'integer'),
      column('Node Selector'),
      AGE_COLUMN,
      ...SELECTED_CONTAINERS,
    ],
    (object, now) => {
      const status = statusAt(object);
      return [
        numberAt(status, 'desiredNumberScheduled'),
        numberAt(status, 'currentNumberScheduled'),
        numberAt(status, 'numberReady'),
        numberAt(status, 'updatedNumberScheduled'),
        numberAt(status, 'numberAvailable'),
        labelsText(objectAt(templateSpec(object), 'nodeSelector')),
        ageOf(object, now),
        ...containerCells(templateSpec(object)),
        selectorOf(object),
      ];
    },
  ),
  'apps/v1/ControllerRevision': printer(
    [column('Controller'), column('Revision'), AGE_COLUMN],
    (object, now) => [controllerOf(object), numberAt(object, 'revision'), ageOf(object, now)],
  ),
  'batch/v1/Job': printer(
    [column('Status'), column('Completions'), column('Duration'), AGE_COLUMN, ...SELECTED_CONTAINERS],
    (object, now) => [
      jobStatus(object),
      jobCompletions(object),
      jobDuration(object, now),
      ageOf(object, now),
      ...containerCells(templateSpec(object)),
      selectorOf(object),
    ],
  ),
  'batch/v1/CronJob': printer(
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
      const spec = specAt(object);
      const jobSpec = objectAt(objectAt(spec, 'jobTemplate'), 'spec');
      const last = textAt(statusAt(object), 'lastScheduleTime');
      return [
        textAt(spec, 'schedule'),
        textAt(spec, 'timeZone', NONE),
        spec?.['suspend'] === true ? 'True' : 'False',
        objectsAt(statusAt(object), 'active').length,
        last === '' ? NONE : since(last, now),
        ageOf(object, now),
        ...containerCells(objectAt(objectAt(jobSpec, 'template'), 'spec')),
        selectorText(objectAt(jobSpec, 'selector')),
      ];
    },
  ),
};

function controllerOf(object: Stored): string {
  const owner = object.metadata?.ownerReferences?.find(({ controller }) => controller === true);
  if (owner === undefined) return NONE;
  const slash = owner.apiVersion.indexOf('/');
  const group = slash === -1 ? '' : `.${owner.apiVersion.slice(0, slash)}`;
  return `${`${owner.kind}${group}`.toLowerCase()}/${owner.name}`;
}

function jobStatus(job: Stored): string {
  if (isConditionTrue(job, 'Complete')) return 'Complete';
  if (isConditionTrue(job, 'Failed')) return 'Failed';
  if (job.metadata?.deletionTimestamp !== undefined) return 'Terminating';
  if (isConditionTrue(job, 'Suspended')) return 'Suspended';
  return isConditionTrue(job, 'FailureTarget') ? 'FailureTarget' : 'Running';
}

function jobCompletions(job: Stored): string {
  const spec = specAt(job);
  const succeeded = numberAt(statusAt(job), 'succeeded');
  if (spec?.['completions'] !== undefined) return `${succeeded}/${numberAt(spec, 'completions')}`;
  const parallelism = numberAt(spec, 'parallelism');
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: Stored, now: number): string {
  const start = timeAt(statusAt(job), 'startTime');
  if (start === undefined) return '';
  return humanDuration((timeAt(statusAt(job), 'completionTime') ?? now) - start);
}
