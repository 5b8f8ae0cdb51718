// Who imports whom among the files of this repository, as far as it is run: imports of types are left out.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import type { ParseResult } from 'rolldown/utils';
import { parseTypeScript } from './syntax.ts';

const PATTERNS = [
  'packages/*/src/**/*.ts',
  'tests/**/*.ts',
  'tools/**/*.ts',
  'bench/**/*.ts',
  'examples/**/*.ts',
];
/** A worker thread or a program that a test starts is named by its URL. */
const BY_URL = /new URL\(\s*'([^']+\.ts)',\s*import\.meta\.url\)/g;

type Module = ParseResult['module'];
interface Source {
  readonly module: Module;
  readonly urls: readonly string[];
}

/**
 * The imports of all files below a root. A name that is imported from a file which only passes it on, such as a
 * package's `index.ts`, leads to the file that declares it: otherwise every test of a package would import all of it.
 */
export class ImportGraph {
  readonly #root: string;
  readonly #sources = new Map<string, Source>();
  readonly #packages: ReadonlyMap<string, string>;
  readonly #importers = new Map<string, Set<string>>();
  readonly #imports = new Map<string, ReadonlySet<string>>();

  constructor(root: string) {
    this.#root = root;
    this.#packages = packageEntries(root);
    for (const file of globSync(PATTERNS, {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**'],
    }).sort()) {
      const text = readFileSync(join(root, file), 'utf8');
      const urls = [...text.matchAll(BY_URL)].map(([, path = '']) => path);
      try {
        this.#sources.set(normalize(file), { module: parseTypeScript(file, text).module, urls });
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error; // A broken file is no reason to measure nothing.
      }
    }
    for (const file of this.#sources.keys()) {
      const targets = this.#targetsOf(file);
      this.#imports.set(file, targets);
      for (const target of targets) {
        const importers = this.#importers.get(target) ?? new Set();
        this.#importers.set(target, importers.add(file));
      }
    }
  }

  /** The files that import `file`, directly or through others, each with its distance: 1 imports it directly. */
  importersOf(file: string): ReadonlyMap<string, number> {
    return reach(normalize(file), (each) => this.#importers.get(each));
  }

  /** The files that `file` imports, directly or through others. */
  importsOf(file: string): ReadonlyMap<string, number> {
    return reach(normalize(file), (each) => this.#imports.get(each));
  }

  #targetsOf(file: string): ReadonlySet<string> {
    const source = this.#sources.get(file);
    const targets = new Set<string>();
    if (source === undefined) return targets;
    const add = (specifier: string, name: string | null): void => {
      const target = this.#resolve(file, specifier);
      if (target === undefined) return;
      const declared = name === null ? undefined : this.#declaredIn(target, name);
      targets.add(declared ?? target);
    };
    for (const { moduleRequest, entries } of source.module.staticImports) {
      if (entries.length === 0) add(moduleRequest.value, null); // For its effect.
      for (const { importName, isType } of entries)
        if (!isType) add(moduleRequest.value, importName.kind === 'Name' ? (importName.name ?? null) : null);
    }
    for (const { entries } of source.module.staticExports)
      for (const { moduleRequest, importName, isType } of entries)
        if (!isType && moduleRequest !== null)
          add(moduleRequest.value, importName.kind === 'Name' ? (importName.name ?? null) : null);
    const text =
      source.module.dynamicImports.length === 0 ? '' : readFileSync(join(this.#root, file), 'utf8');
    for (const { moduleRequest } of source.module.dynamicImports)
      add(text.slice(moduleRequest.start + 1, moduleRequest.end - 1), null);
    for (const url of source.urls) add(url.startsWith('.') ? url : `./${url}`, null);
    return targets;
  }

  /** The file from which `name` comes when `file` passes it on; nothing when nobody below `file` declares it. */
  #declaredIn(file: string, name: string, seen = new Set<string>()): string | undefined {
    const source = this.#sources.get(file);
    if (source === undefined || seen.has(file)) return undefined;
    seen.add(file);
    const entries = source.module.staticExports.flatMap((each) => each.entries);
    for (const { exportName, importName, moduleRequest } of entries) {
      if (exportName.kind !== 'Name' || exportName.name !== name) continue;
      if (moduleRequest === null) return file;
      const target = this.#resolve(file, moduleRequest.value);
      if (target === undefined) return file;
      return importName.kind === 'Name' ? this.#declaredIn(target, importName.name ?? name, seen) : target;
    }
    for (const { exportName, moduleRequest } of entries) {
      if (exportName.kind !== 'None' || moduleRequest === null) continue;
      const target = this.#resolve(file, moduleRequest.value);
      const found = target === undefined ? undefined : this.#declaredIn(target, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #resolve(from: string, specifier: string): string | undefined {
    if (!specifier.startsWith('.')) return this.#packages.get(specifier);
    const path = normalize(join(dirname(from), specifier));
    return this.#sources.has(path) ? path : undefined;
  }
}

/** `@windlass/x` and `@windlass/x/testing` by what the package's `exports` say. Patterns among them are left out. */
function packageEntries(root: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const manifest of globSync('packages/*/package.json', { cwd: root })) {
    // Our own manifests, which npm has read already.
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
      name: string;
      exports?: Record<string, unknown>;
    };
    for (const [path, target] of Object.entries(exports))
      if (typeof target === 'string')
        entries.set(`${name}${path.slice(1)}`, normalize(join(dirname(manifest), target)));
  }
  return entries;
}

function reach(
  from: string,
  next: (file: string) => Iterable<string> | undefined,
): ReadonlyMap<string, number> {
  const distances = new Map<string, number>([[from, 0]]);
  for (const [file, distance] of distances)
    for (const each of next(file) ?? []) if (!distances.has(each)) distances.set(each, distance + 1);
  distances.delete(from);
  return distances;
}
