import { FakeCalls } from './fake-calls.ts';
import { cloneOf, copyOf, type FakeEntry, fakeDirectory, fault, partsOf } from './fake-file-tree.ts';
import { FakeMountTree } from './fake-mount-tree.ts';

/** The part of a fake machine that is files. */
export abstract class FakeFiles {
  protected readonly noted = new FakeCalls();
  protected readonly tree = new FakeMountTree();
  /** What tells an entry from every other, also from one of the same name that took its place. */
  readonly #stamps = new WeakMap<FakeEntry, number>();
  #lastStamp = 0;

  async realPath(path: string): Promise<string> {
    const parts = partsOf(path);
    const above = this.tree.lookUp(`/${parts.slice(0, -1).join('/')}`)?.path;
    return above === undefined ? path : `${above === '/' ? '' : above}/${parts.at(-1) ?? ''}`;
  }

  async entryType(path: string): Promise<FakeEntry['type'] | undefined> {
    await this.noted.enter('entryType', path);
    return this.tree.lookUp(path)?.entry?.type;
  }

  async list(path: string): Promise<readonly string[]> {
    await this.noted.enter('list', path);
    return [...this.tree.directory(path).entry.children.keys()].toSorted();
  }

  async makeDirectory(path: string, options: { readonly recursive?: boolean } = {}): Promise<void> {
    await this.noted.enter('makeDirectory', path);
    if (options.recursive === true) return this.tree.makeDirectories(path);
    const place = this.tree.place(path);
    if (place.entry === undefined) place.parent.children.set(place.name, fakeDirectory());
    else if (place.entry.type === 'file') throw fault('EEXIST', path);
  }

  async removeDirectory(path: string): Promise<void> {
    await this.noted.enter('removeDirectory', path);
    const place = this.tree.lookUp(path);
    if (place?.entry === undefined) return;
    if (this.tree.isMounted(place.path)) throw fault('EBUSY', path);
    if (place.entry.type !== 'directory') throw fault('ENOTDIR', path);
    if (place.entry.children.size > 0) throw fault('ENOTEMPTY', path);
    place.parent.children.delete(place.name);
  }

  async link(target: string, path: string): Promise<void> {
    await this.noted.enter('link', target, path);
    const place = this.tree.place(path);
    if (place.entry === undefined) place.parent.children.set(place.name, { type: 'link', target });
  }

  async readFile(path: string): Promise<string | undefined> {
    await this.noted.enter('readFile', path);
    const entry = this.tree.lookUp(path)?.entry;
    return entry?.type === 'file' ? entry.text : undefined;
  }

  async writeFile(path: string, text: string): Promise<void> {
    await this.noted.enter('writeFile', path);
    const place = this.tree.place(path);
    place.parent.children.set(place.name, { type: 'file', bytes: text.length, text });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.noted.enter('rename', from, to);
    const source = this.tree.place(from);
    if (source.entry === undefined) throw fault('ENOENT', from);
    const target = this.tree.place(to);
    if (source.disk !== target.disk) throw fault('EXDEV', `${from} to ${to}`);
    source.parent.children.delete(source.name);
    target.parent.children.set(target.name, source.entry);
  }

  async removeTree(path: string): Promise<void> {
    await this.noted.enter('removeTree', path);
    const place = this.tree.lookUp(path);
    if (place?.entry === undefined) return;
    if (this.tree.mounts.some(({ entry }) => `${entry.mountPoint}/`.startsWith(`${place.path}/`)))
      throw fault('EBUSY', path);
    place.parent.children.delete(place.name);
  }

  async copyTree(from: string, to: string): Promise<void> {
    await this.noted.enter('copyTree', from, to);
    const source = this.tree.directory(from);
    const target = this.tree.directory(to);
    target.entry.children.clear();
    const copy = copyOf(source.entry);
    if (copy.type === 'directory')
      for (const [name, child] of copy.children) target.entry.children.set(name, child);
  }

  async cloneTree(from: string, to: string): Promise<void> {
    await this.noted.enter('cloneTree', from, to);
    const source = this.tree.directory(from);
    const target = this.tree.directory(to);
    if (target.entry.children.size > 0) throw fault('ENOTEMPTY', to);
    const copy = cloneOf(source.entry);
    if (copy.type === 'directory')
      for (const [name, child] of copy.children) target.entry.children.set(name, child);
  }

  async treeState(path: string): Promise<ReadonlyMap<string, string>> {
    await this.noted.enter('treeState', path);
    const state = new Map<string, string>();
    const visit = (at: string, entry: FakeEntry): void => {
      let stamp = this.#stamps.get(entry);
      if (stamp === undefined) this.#stamps.set(entry, (stamp = ++this.#lastStamp));
      state.set(at, String(stamp));
      if (entry.type !== 'directory') return;
      for (const [name, child] of entry.children) visit(at === '' ? name : `${at}/${name}`, child);
    };
    visit('', this.tree.directory(path).entry);
    return state;
  }

  async flush(path: string): Promise<void> {
    await this.noted.enter('flush', path);
  }
}
