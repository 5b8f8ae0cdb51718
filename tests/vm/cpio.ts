// The archive that Linux unpacks as its first file system: cpio, in the "newc" form.

export interface ArchiveEntry {
  /** Without a leading slash. */
  readonly path: string;
  readonly mode: number;
  readonly data: Buffer;
}

const DIRECTORY = 0o040755;
const TRAILER = 'TRAILER!!!';

/** Files with the directories above them, in the order of their paths. */
export function makeArchive(files: readonly ArchiveEntry[]): Buffer {
  const directories = new Set<string>();
  for (const { path } of files) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) directories.add(parts.slice(0, depth).join('/'));
  }
  const entries: ArchiveEntry[] = [
    ...[...directories].toSorted().map((path) => ({ path, mode: DIRECTORY, data: Buffer.alloc(0) })),
    ...files,
  ];
  const chunks = entries.flatMap((entry, index) => encode(entry, index + 1));
  chunks.push(...encode({ path: TRAILER, mode: 0, data: Buffer.alloc(0) }, 0));
  return Buffer.concat(chunks);
}

function encode({ path, mode, data }: ArchiveEntry, inode: number): Buffer[] {
  const name = Buffer.from(`${path}\0`);
  const links = 1;
  const fields = [inode, mode, 0, 0, links, 0, data.length, 0, 0, 0, 0, name.length, 0];
  const header = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, '0')).join('')}`);
  return [header, name, padding(header.length + name.length), data, padding(data.length)];
}

/** Everything begins at a multiple of four. */
function padding(length: number): Buffer {
  return Buffer.alloc((4 - (length % 4)) % 4);
}
