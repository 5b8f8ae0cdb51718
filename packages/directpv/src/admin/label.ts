import { type Served, validateLabelValue } from '@windlass/apimachinery';
import type { Client } from '@windlass/client';
import {
  ACCESS_TIERS,
  DirectPVDrive,
  DirectPVVolume,
  LABELS,
  parseAccessTier,
  toLabelKey,
  toUserLabelKey,
} from '../resources/index.ts';
import type { ChangeOptions } from './admin-options.ts';
import { changeEach, type Outcome, withLabel } from './change.ts';
import { InvalidRequestError } from './errors.ts';

/** A label to set, or to remove where there is no value. */
export interface LabelChange {
  readonly key: string;
  readonly value?: string;
}

/**
 * `key=value` sets, `key-` removes; several may stand in one text with commas between. Keys that have a meaning
 * to the driver are refused, but for the access tier of drives.
 */
export function parseLabelChanges(texts: readonly string[], of: 'drives' | 'volumes'): LabelChange[] {
  const changes = texts.flatMap((text) => text.split(',')).map((text) => parseChange(text, of));
  const keys = changes.map(({ key }) => key);
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw new InvalidRequestError(`label ${twice} is given twice`);
  return changes;
}

function parseChange(text: string, of: 'drives' | 'volumes'): LabelChange {
  const [name = '', value] = text.split(/=(.*)/s);
  if (value === undefined) {
    if (!name.endsWith('-') || name === '-')
      throw new InvalidRequestError(`"${text}" is no label; write key=value to set it, key- to remove it`);
    return { key: toUserLabelKey(name.slice(0, -1)) };
  }
  if (of === 'drives' && name !== '' && toLabelKey(name) === LABELS.accessTier) return accessTier(value);
  const problems = validateLabelValue(value);
  if (problems.length > 0)
    throw new InvalidRequestError(`label value "${value}" is invalid: ${problems.join('; ')}`);
  return { key: toUserLabelKey(name), value };
}

/** It is the driver's own, but nobody else can say which drives are the fast ones. */
function accessTier(text: string): LabelChange {
  const value = parseAccessTier(text);
  if (value === undefined)
    throw new InvalidRequestError(`there is no access tier "${text}"; there are ${ACCESS_TIERS.join(', ')}`);
  return { key: LABELS.accessTier, value };
}

/** Sets and removes labels of drives. */
export function labelDrives(
  client: Client,
  drives: readonly Served<DirectPVDrive>[],
  changes: readonly LabelChange[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVDrive>[]> {
  const change = (drive: Served<DirectPVDrive>): DirectPVDrive =>
    changes.reduce((object, { key, value }) => withLabel(object, key, value), drive);
  return changeEach(client, DirectPVDrive, drives, change, options);
}

/** Sets and removes labels of volumes. */
export function labelVolumes(
  client: Client,
  volumes: readonly Served<DirectPVVolume>[],
  changes: readonly LabelChange[],
  options: ChangeOptions = {},
): Promise<Outcome<DirectPVVolume>[]> {
  const change = (volume: Served<DirectPVVolume>): DirectPVVolume =>
    changes.reduce((object, { key, value }) => withLabel(object, key, value), volume);
  return changeEach(client, DirectPVVolume, volumes, change, options);
}
