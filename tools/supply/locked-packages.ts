// What a lock file says: who depends on whom, and what of it a user of the published package gets.

/** As npm writes it, the fields that count here. */
export interface LockedPackage {
  readonly name?: string;
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** By where they are: '' is the project itself, `packages/…` ours, `node_modules/…` what is installed. */
export type LockedPackages = Readonly<Record<string, LockedPackage>>;

const INSTALLED = 'node_modules/';

export function isInstalled(path: string): boolean {
  return path.includes(INSTALLED);
}

/** The name of an installed package, and the folder's of one of ours. */
export function nameOf(path: string): string {
  const installed = path.lastIndexOf(INSTALLED);
  return path.slice(installed === -1 ? path.lastIndexOf('/') + 1 : installed + INSTALLED.length);
}

/** Where `name` is found from `path`, as Node looks for it: in the nearest node_modules above. */
export function resolve(packages: LockedPackages, path: string, name: string): string | undefined {
  for (let from = path; ; ) {
    const candidate = `${from === '' ? '' : `${from}/`}${INSTALLED}${name}`;
    if (packages[candidate] !== undefined) return candidate;
    if (from === '') return undefined;
    const above = from.lastIndexOf(`/${INSTALLED}`);
    from = above === -1 ? '' : from.slice(0, above);
  }
}

/** The paths of what our packages need to run, with what that needs in turn; none of our own. Sorted. */
export function runtimeOf(packages: LockedPackages): readonly string[] {
  const found = new Set<string>();
  const visit = (path: string): void => {
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const target = resolve(packages, path, name);
      if (target === undefined) throw new Error(`${path} needs ${name}, which the lock file does not have`);
      if (packages[target]?.link === true || found.has(target)) continue;
      found.add(target);
      visit(target);
    }
  };
  for (const path of Object.keys(packages)) if (path !== '' && !isInstalled(path)) visit(path);
  return [...found].sort();
}
