import type { MountEntry } from '../mount-entry.ts';

/** The kernel writes space, tab, newline and backslash as three octal digits. */
function unescapeOctal(value: string): string {
  if (!value.includes('\\')) return value;
  const bytes: Buffer[] = [];
  for (const part of value.split(/(\\[0-7]{3})/))
    bytes.push(
      /^\\[0-7]{3}$/.test(part)
        ? Buffer.from([Number.parseInt(part.slice(1), 8) & 0xff])
        : Buffer.from(part, 'utf8'),
    );
  return Buffer.concat(bytes).toString('utf8');
}

const DELETED = '//deleted';

/** Parses `/proc/<pid>/mountinfo`. A line that is not as it should be is left out: the rest still counts. */
export function parseMountInfo(content: string): MountEntry[] {
  const entries: MountEntry[] = [];
  for (const line of content.split('\n')) {
    // Fields in the middle are optional, and a lone dash ends them.
    const fields = line.split(' ');
    const dash = fields.indexOf('-', 6);
    const [mountId, , majorMinor, root, mountPoint, options] = fields;
    const [fsType, source, superOptions] = dash === -1 ? [] : fields.slice(dash + 1);
    if (mountId === undefined || majorMinor === undefined || root === undefined) continue;
    if (mountPoint === undefined || options === undefined || fsType === undefined) continue;
    const shown = unescapeOctal(root);
    const own = options.split(',');
    entries.push({
      mountId: Number(mountId),
      majorMinor,
      // The directory below was removed while it was mounted.
      root: shown.endsWith(DELETED) ? shown.slice(0, -DELETED.length) : shown,
      mountPoint: unescapeOctal(mountPoint),
      fsType,
      source: unescapeOctal(source ?? ''),
      readOnly: own.includes('ro'),
      options: own,
      superOptions: (superOptions ?? '').split(',').filter((option) => option !== ''),
    });
  }
  return entries;
}
