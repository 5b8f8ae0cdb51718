// Logs of containers do not grow for ever.

/** As other node agents have it. */
export const MAX_LOG_BYTES = 10 * 1024 * 1024;
/** The one that is written, and those before it. */
const MAX_FILES = 5;

/** The name of a log that is put aside: by its time, so that names are in order. */
export function rotatedName(path: string, now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]/g, '').replace('T', '-').replace(/\..*$/, '');
  return `${path}.${time}`;
}

/**
 * The logs that are too many, of one run of a container.
 * @param names of a folder
 * @param log the one that is written
 */
export function tooMany(names: readonly string[], log: string): string[] {
  const rotated = names.filter((name) => name.startsWith(`${log}.`)).toSorted();
  return rotated.slice(0, Math.max(0, rotated.length - (MAX_FILES - 1)));
}
