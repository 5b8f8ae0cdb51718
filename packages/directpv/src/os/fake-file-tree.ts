import { OperatingSystemError } from './errors.ts';

/**
 * A file or directory of the fake. A link may point to `.`, which is all that drives need. What is shared takes nothing
 * of the disk: its bytes are those of another file.
 */
export type FakeEntry =
  | { readonly type: 'directory'; readonly children: Map<string, FakeEntry>; project?: number }
  | { readonly type: 'file'; bytes: number; text: string; readonly isShared?: boolean }
  | { readonly type: 'link'; readonly target: string };

export type FakeDirectory = Extract<FakeEntry, { type: 'directory' }>;

export function fakeDirectory(): FakeDirectory {
  return { type: 'directory', children: new Map() };
}

export function partsOf(path: string): string[] {
  if (!path.startsWith('/')) throw fault('EINVAL', path);
  return path.split('/').filter((part) => part !== '' && part !== '.');
}

export function fault(code: string, what: string): OperatingSystemError {
  return new OperatingSystemError(code, `${code}: ${what}`);
}

/** Bytes and entries below, the directory itself among them. */
export function measure(entry: FakeEntry): { bytes: number; inodes: number } {
  if (entry.type === 'file') return { bytes: entry.bytes, inodes: 1 };
  if (entry.type === 'link') return { bytes: 0, inodes: 1 };
  let total = { bytes: 0, inodes: 1 };
  for (const child of entry.children.values()) {
    const below = measure(child);
    total = { bytes: total.bytes + below.bytes, inodes: total.inodes + below.inodes };
  }
  return total;
}

/** What a file system does not have any more: bytes that are shared are there once. */
export function occupied(entry: FakeEntry): number {
  if (entry.type === 'file') return entry.isShared === true ? 0 : entry.bytes;
  if (entry.type === 'link') return 0;
  let bytes = 0;
  for (const child of entry.children.values()) bytes += occupied(child);
  return bytes;
}

/** As `copyOf`, sharing bytes with the original. */
export function cloneOf(entry: FakeEntry): FakeEntry {
  if (entry.type === 'file') return { ...entry, isShared: true };
  if (entry.type === 'link') return entry;
  const copy = fakeDirectory();
  for (const [name, child] of entry.children) copy.children.set(name, cloneOf(child));
  return copy;
}

/** What the books of a project say: everything below a directory that carries it. */
export function measureProject(entry: FakeEntry, project: number): { bytes: number; inodes: number } {
  if (entry.type !== 'directory') return { bytes: 0, inodes: 0 };
  if (entry.project === project) return measure(entry);
  let total = { bytes: 0, inodes: 0 };
  for (const child of entry.children.values()) {
    const below = measureProject(child, project);
    total = { bytes: total.bytes + below.bytes, inodes: total.inodes + below.inodes };
  }
  return total;
}

export function copyOf(entry: FakeEntry): FakeEntry {
  if (entry.type === 'link') return entry;
  if (entry.type === 'file') return { ...entry };
  const copy = fakeDirectory();
  for (const [name, child] of entry.children) copy.children.set(name, copyOf(child));
  return copy;
}

/** Whether the path, or a directory above it, is of the project. */
export function isInProject(root: FakeDirectory, path: string, project: number): boolean {
  let entry: FakeEntry | undefined = root;
  for (const name of partsOf(path)) {
    if (entry?.type !== 'directory') return false;
    if (entry.project === project) return true;
    entry = entry.children.get(name);
  }
  return entry?.type === 'directory' && entry.project === project;
}
