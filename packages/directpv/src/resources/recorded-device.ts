import { ANNOTATIONS } from './annotations.ts';

/**
 * The device that a drive was last seen on, kept with the drive: so that the device is known again when its file system
 * is not to be seen. DirectPV's own readers know nothing of it.
 */
export interface RecordedDevice {
  /** The kernel's name at that time. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  /** How far apart the superblocks of its file system are, in bytes. */
  readonly groupBytes?: number;
  readonly wwid?: string;
  readonly serial?: string;
  readonly partition?: string;
  readonly mapper?: string;
  readonly backing?: string;
}

interface Annotated {
  readonly metadata?: { readonly annotations?: { readonly [key: string]: string } };
}

const TEXTS = ['wwid', 'serial', 'partition', 'mapper', 'backing'] as const;

/** Undefined where nothing was recorded, or what was cannot be read. */
export function recordedDevice({ metadata }: Annotated): RecordedDevice | undefined {
  let said: unknown;
  try {
    said = JSON.parse(metadata?.annotations?.[ANNOTATIONS.device] ?? 'null');
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null) return undefined;
  const fields = said as Readonly<Record<string, unknown>>; // an object, as was just checked
  const { name, size, groupBytes } = fields;
  if (typeof name !== 'string' || typeof size !== 'number') return undefined;
  const texts = TEXTS.flatMap((key) => (typeof fields[key] === 'string' ? [[key, fields[key]]] : []));
  return {
    name,
    size,
    ...(typeof groupBytes === 'number' && { groupBytes }),
    ...Object.fromEntries(texts),
  };
}

/** The very object where it says so already. */
export function withRecordedDevice<T extends Annotated>(object: T, device: RecordedDevice): T {
  const sorted = Object.entries(device).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const text = JSON.stringify(Object.fromEntries(sorted));
  if (object.metadata?.annotations?.[ANNOTATIONS.device] === text) return object;
  const annotations = { ...object.metadata?.annotations, [ANNOTATIONS.device]: text };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
