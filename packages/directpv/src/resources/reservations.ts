import { ANNOTATIONS } from './annotations.ts';

/**
 * What a drive holds for a volume whose object may not say so yet: it was written together with the drive's
 * capacities, before the volume was created or expanded. It goes when the volume's object says the same.
 */
export interface Reservation {
  readonly bytes: number;
  /** When it was made, RFC 3339. Tells reservations apart; nobody compares it with a clock of another machine. */
  readonly at: string;
}

/** By volume id. */
export type Reservations = ReadonlyMap<string, Reservation>;

interface Annotated {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
}

const NONE: Reservations = new Map();

/** What cannot be read is left out: the loop that repairs drives then counts the volumes themselves. */
export function readReservations(drive: Annotated): Reservations {
  const text = drive.metadata?.annotations?.[ANNOTATIONS.reservations];
  if (text === undefined) return NONE;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return NONE;
  }
  if (typeof parsed !== 'object' || parsed === null) return NONE;
  const entries: [string, Reservation][] = [];
  for (const [volume, value] of Object.entries(parsed)) {
    if (isReservation(value)) entries.push([volume, { bytes: value.bytes, at: value.at }]);
  }
  return new Map(entries);
}

function isReservation(value: unknown): value is Reservation {
  if (typeof value !== 'object' || value === null) return false;
  const { bytes, at }: { bytes?: unknown; at?: unknown } = value;
  return typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0 && typeof at === 'string';
}

/** The annotations with these reservations, or without the annotation when there are none. */
export function withReservations(
  annotations: { readonly [key: string]: string } | undefined,
  reservations: Reservations,
): { [key: string]: string } {
  const { [ANNOTATIONS.reservations]: _before, ...kept } = { ...annotations };
  if (reservations.size === 0) return kept;
  const sorted = [...reservations].sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...kept, [ANNOTATIONS.reservations]: JSON.stringify(Object.fromEntries(sorted)) };
}
