/** What a mount of its own may have, whatever its file system was mounted with. */
const FLAGS: ReadonlySet<string> = new Set([
  'ro',
  'rw',
  'exec',
  'noexec',
  'suid',
  'nosuid',
  'dev',
  'nodev',
  'atime',
  'noatime',
  'diratime',
  'nodiratime',
  'relatime',
  'norelatime',
  'strictatime',
  'nosymfollow',
]);

export interface MountFlags {
  readonly readOnly: boolean;
  /** Without `ro` and `rw`. */
  readonly options: readonly string[];
}

/**
 * The mount options of a storage class, for the mounts of one volume. What belongs to the whole file system cannot
 * be had for a volume of it, and is refused rather than ignored.
 * @returns the flags, or why not
 */
export function parseMountFlags(flags: readonly string[]): MountFlags | string {
  const all = flags.flatMap((flag) => flag.split(',')).filter((flag) => flag !== '');
  const unknown = all.find((flag) => !FLAGS.has(flag));
  if (unknown !== undefined)
    return `mount option ${JSON.stringify(unknown)} cannot be had for a single volume; use some of ${[...FLAGS].join(', ')}`;
  return {
    readOnly: all.findLast((flag) => flag === 'ro' || flag === 'rw') === 'ro',
    options: [...new Set(all.filter((flag) => flag !== 'ro' && flag !== 'rw'))],
  };
}
