import { type DeepReadonly, removeCondition, setCondition } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import type { Clock } from '@windlass/base';

/** What may be wrong with a drive, and the reason that is written with it. */
export const DRIVE_CONDITIONS = {
  MountError: 'DriveHasMountError',
  MultipleMatches: 'DriveHasMultipleMatches',
  IOError: 'DriveHasIOError',
  RelabelError: 'DriveHasRelabelError',
} as const;
export type DriveConditionType = keyof typeof DRIVE_CONDITIONS;

/** What may be wrong with a volume. */
export const VOLUME_CONDITIONS = { Lost: 'DriveLost' } as const;
export type VolumeConditionType = keyof typeof VOLUME_CONDITIONS;

const REASONS: Readonly<Record<DriveConditionType | VolumeConditionType, string>> = {
  ...DRIVE_CONDITIONS,
  ...VOLUME_CONDITIONS,
};

interface WithConditions {
  readonly status: { readonly conditions?: readonly DeepReadonly<Condition>[] };
}

/** Says that something is wrong with a drive or volume. The very object when it said so before. */
export function withProblem<T extends WithConditions>(
  object: T,
  type: DriveConditionType | VolumeConditionType,
  message: string,
  clock: Clock,
): T {
  const statement = { type, status: 'True' as const, reason: REASONS[type], message };
  const { conditions, changed } = setCondition<DeepReadonly<Condition>>(
    object.status.conditions,
    statement,
    clock,
  );
  return changed ? { ...object, status: { ...object.status, conditions } } : object;
}

/**
 * Takes back what was wrong. The condition goes, rather than turn False: DirectPV's own tools take every
 * condition of a drive for something that is wrong with it. The very object when nothing was.
 */
export function withoutProblem<T extends WithConditions>(
  object: T,
  ...types: readonly (DriveConditionType | VolumeConditionType)[]
): T {
  let conditions = object.status.conditions;
  let isChanged = false;
  for (const type of types) {
    const change = removeCondition(conditions, type);
    conditions = change.conditions;
    isChanged ||= change.changed;
  }
  return isChanged ? { ...object, status: { ...object.status, conditions } } : object;
}

/** The newest of what is wrong with a drive. */
export function latestDriveProblem(object: WithConditions): DeepReadonly<Condition> | undefined {
  return (object.status.conditions ?? [])
    .filter(({ type, status }) => type in DRIVE_CONDITIONS && status === 'True')
    .reduce<DeepReadonly<Condition> | undefined>(
      (latest, condition) =>
        latest === undefined || (condition.lastTransitionTime ?? '') >= (latest.lastTransitionTime ?? '')
          ? condition
          : latest,
      undefined,
    );
}
