import { type DeepReadonly, removeCondition, setCondition } from '@windlass/apimachinery';
import type { Condition } from '@windlass/apimachinery/api/meta/v1';
import type { Clock } from '@windlass/base';

/** Why a drive cannot be used, and the reason that is written with it. All of it is over when the drive is Ready. */
export const DRIVE_CONDITIONS = {
  MountError: 'DriveHasMountError',
  MultipleMatches: 'DriveHasMultipleMatches',
  IOError: 'DriveHasIOError',
  RelabelError: 'DriveHasRelabelError',
  Lost: 'DriveLost',
} as const;
/** A condition of a drive. */
export type DriveConditionType = keyof typeof DRIVE_CONDITIONS;

/** What a drive that is used does not do, or not as well as it should. Nobody but us writes these. */
export const DRIVE_LIMITATIONS = {
  /** Nothing stops a volume at its size. */
  QuotaNotEnforced: 'QuotaNotEnforced',
  /** Volumes were promised more than the file system has. No volume is added. */
  Overcommitted: 'DriveOvercommitted',
  /** Something else that the machine refuses; the message says what. */
  Degraded: 'DriveDegraded',
} as const;
/** A condition of a drive that says what it cannot do. */
export type DriveLimitationType = keyof typeof DRIVE_LIMITATIONS;

/** What may be wrong with a volume. */
export const VOLUME_CONDITIONS = {
  Lost: 'DriveLost',
  QuotaNotEnforced: 'QuotaNotEnforced',
  /** It takes more than its size. */
  QuotaExceeded: 'VolumeExceedsSize',
} as const;
/** A condition of a volume. */
export type VolumeConditionType = keyof typeof VOLUME_CONDITIONS;

type ConditionType = DriveConditionType | DriveLimitationType | VolumeConditionType;

const REASONS: Readonly<Record<ConditionType, string>> = {
  ...DRIVE_CONDITIONS,
  ...DRIVE_LIMITATIONS,
  ...VOLUME_CONDITIONS,
};

/** All conditions of drives. */
// TypeScript gives keys as strings. These are constants, so each has just the keys of its type.
export const DRIVE_CONDITION_TYPES = Object.keys(DRIVE_CONDITIONS) as readonly DriveConditionType[];
/** All conditions of drives that say what a drive cannot do. */
// As above.
export const DRIVE_LIMITATION_TYPES = Object.keys(DRIVE_LIMITATIONS) as readonly DriveLimitationType[];
// As above.
const VOLUME_CONDITION_TYPES = Object.keys(VOLUME_CONDITIONS) as readonly VolumeConditionType[];

interface WithConditions {
  readonly status: { readonly conditions?: readonly DeepReadonly<Condition>[] };
}

/** Says that something is wrong with a drive or volume. The very object when it said so before. */
export function withProblem<T extends WithConditions>(
  object: T,
  type: ConditionType,
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
export function withoutProblem<T extends WithConditions>(object: T, ...types: readonly ConditionType[]): T {
  let conditions = object.status.conditions;
  let isChanged = false;
  for (const type of types) {
    const change = removeCondition(conditions, type);
    conditions = change.conditions;
    isChanged ||= change.changed;
  }
  return isChanged ? { ...object, status: { ...object.status, conditions } } : object;
}

/** What is said of a drive or volume, if it is. */
export function problemOf(
  object: WithConditions | undefined,
  type: ConditionType,
): DeepReadonly<Condition> | undefined {
  return object?.status.conditions?.find((one) => one.type === type && one.status === 'True');
}

/** Why a drive cannot be used, and what it does not do: for people, each once. */
export function driveNotes(object: WithConditions): string[] {
  return [...DRIVE_CONDITION_TYPES, ...DRIVE_LIMITATION_TYPES].flatMap(
    (type) => problemOf(object, type)?.message ?? [],
  );
}

/** As `driveNotes`, of a volume. */
export function volumeNotes(object: WithConditions): string[] {
  return VOLUME_CONDITION_TYPES.flatMap((type) => problemOf(object, type)?.message ?? []);
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
