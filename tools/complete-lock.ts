// Adds to package-lock.json the optional packages of other platforms that npm left out.
//
// npm writes only what the registry at hand has. A mirror that lacks the packages of some platform makes
// an incomplete lock file, and `npm ci` then refuses it everywhere, with "Missing: … from lock file".
// An entry needs only its version and its platform: npm fetches it where the platform is the machine's.
// Run it after `npm install` when lock-file.test.ts says so: node tools/complete-lock.ts
import { readFileSync, writeFileSync } from 'node:fs';

export interface LockedPackage {
  readonly version?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

export const LOCK_FILE = new URL('../package-lock.json', import.meta.url);

export function readLock(): LockFile {
  // The file is npm's, in the format that the interface names.
  return JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as LockFile;
}

/** The entries that `npm ci` would miss, by their path in the lock file. */
export function missingEntries({ packages }: LockFile): Record<string, LockedPackage> {
  const missing: Record<string, LockedPackage> = {};
  for (const { dev, optionalDependencies = {} } of Object.values(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const path = `node_modules/${name}`;
      if (packages[path] === undefined)
        missing[path] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
    }
  }
  return missing;
}

/** Read from the name, which is all there is: `@scope/binding-linux-x64-musl`. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  if (name.endsWith('-wasm32-wasi')) return { cpu: ['wasm32'] };
  const match = /(android|darwin|freebsd|linux|openharmony|win32)-(\w+)(?:-(\w+))?$/.exec(name);
  if (match === null)
    throw new Error(`cannot tell the platform of ${name} from its name; add its entry by hand`);
  const [, os = '', cpu = '', abi = ''] = match;
  return { os: [os], cpu: [cpu], ...(abi.startsWith('musl') && { libc: ['musl'] }) };
}

if (import.meta.main) {
  const lock = readLock();
  const missing = missingEntries(lock);
  const { '': root, ...rest } = { ...lock.packages, ...missing };
  const sorted = Object.fromEntries(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(
    LOCK_FILE,
    `${JSON.stringify({ ...lock, packages: { '': root, ...sorted } }, undefined, 2)}\n`,
  );
  console.log(`added ${Object.keys(missing).length} entries to package-lock.json`);
}
