import type { FakeDisk } from './fake-disk.ts';
import { type FakeDirectory, type FakeEntry, fakeDirectory, fault, partsOf } from './fake-file-tree.ts';
import type { MountEntry } from './mount-entry.ts';

export interface FakeMount {
  readonly entry: MountEntry;
  readonly shown: FakeDirectory;
  readonly disk: FakeDisk | undefined;
}

/** Where a path leads. */
export interface Place {
  readonly entry: FakeEntry | undefined;
  readonly parent: FakeDirectory;
  readonly name: string;
  readonly disk: FakeDisk | undefined;
  readonly mount: FakeMount | undefined;
  /** The path without links. */
  readonly path: string;
  /** Inside its file system. */
  readonly root: string;
}

/** Directories of a machine in memory, with what is mounted over them. */
export class FakeMountTree {
  readonly #host = fakeDirectory();
  #mounts: FakeMount[] = [];
  #lastId = 100;

  get mounts(): readonly FakeMount[] {
    return this.#mounts;
  }

  /** Shows a directory at a path, over what was there. */
  mount(
    mountPoint: string,
    shown: FakeDirectory,
    disk: FakeDisk | undefined,
    facts: Pick<MountEntry, 'root' | 'fsType' | 'source' | 'options' | 'superOptions'>,
  ): void {
    const entry: MountEntry = {
      mountId: ++this.#lastId,
      majorMinor: disk?.majorMinor ?? '0:50',
      mountPoint,
      readOnly: facts.options.includes('ro'),
      ...facts,
    };
    this.#mounts.push({ entry, shown, disk });
  }

  /** Takes away what was mounted last at the path. */
  unmount(target: string): void {
    const index = this.#mounts.findLastIndex(({ entry }) => entry.mountPoint === target);
    if (index !== -1) this.#mounts.splice(index, 1);
  }

  clear(): void {
    this.#mounts = [];
  }

  /** From now on all that is mounted from a disk of this name is on another disk. */
  replaceDisk(name: string, disk: FakeDisk): void {
    this.#mounts = this.#mounts.map((mount) => (mount.disk?.name === name ? { ...mount, disk } : mount));
  }

  mountPointsOf(disk: FakeDisk): string[] {
    return this.#mounts.filter((mount) => mount.disk === disk).map(({ entry }) => entry.mountPoint);
  }

  isMounted(path: string): boolean {
    return this.#mounts.some((mount) => mount.entry.mountPoint === path);
  }

  /** With all above it. */
  makeDirectories(path: string): void {
    const parts = partsOf(path);
    for (let count = 1; count <= parts.length; count++) {
      const place = this.place(`/${parts.slice(0, count).join('/')}`);
      if (place.entry === undefined) place.parent.children.set(place.name, fakeDirectory());
    }
  }

  /** @throws ENOENT, ENOTDIR */
  directory(path: string): Omit<Place, 'entry'> & { readonly entry: FakeDirectory } {
    const place = this.place(path);
    if (place.entry === undefined) throw fault('ENOENT', path);
    if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
    return { ...place, entry: place.entry };
  }

  /** Undefined when something above the last part is not there. */
  lookUp(path: string): Place | undefined {
    try {
      return this.place(path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Walks from the host's root, over links and mounts. Everything above the last part must be there. */
  place(path: string): Place {
    let place: Place = {
      entry: this.#host,
      parent: this.#host,
      name: '',
      disk: undefined,
      mount: undefined,
      path: '',
      root: '',
    };
    for (const name of partsOf(path)) {
      if (place.entry?.type === 'link') continue;
      if (place.entry === undefined) throw fault('ENOENT', path);
      if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
      if (place.disk?.isBroken === true) throw fault('EIO', path);
      const child: FakeEntry | undefined = place.entry.children.get(name);
      // Links on drives point to the directory that they are in.
      if (child?.type === 'link' && !path.endsWith(`/${name}`)) continue;
      const at: string = `${place.path}/${name}`;
      const mount = this.#mounts.findLast((one) => one.entry.mountPoint === at);
      const below = mount ?? place.mount;
      const root: string = mount === undefined ? `${place.root}/${name}` : mount.entry.root;
      place = {
        entry: mount?.shown ?? child,
        parent: place.entry,
        name,
        disk: below?.disk,
        mount: below,
        path: at,
        root: root === '/' ? '' : root,
      };
    }
    if (place.disk?.isBroken === true) throw fault('EIO', path);
    return {
      ...place,
      path: place.path === '' ? '/' : place.path,
      root: place.root === '' ? '/' : place.root,
    };
  }
}
