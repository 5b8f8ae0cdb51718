// What every package in a lock file must be like, whoever wrote it.
import { isAllowed, type Use } from './licences.ts';
import { isInstalled, type LockedPackages, nameOf, runtimeOf } from './locked-packages.ts';

export interface LockReport {
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[];
  readonly runtime: number;
  readonly tools: number;
  /** Optional packages of other platforms of which only name and version are known, see `isElsewhere`. */
  readonly unknown: number;
}

/** `expected` are the names of what users of the published package install with it. */
export function checkLock(packages: LockedPackages, expected: readonly string[]): LockReport {
  const problems: string[] = [];
  const runtime = new Set(runtimeOf(packages));
  let [tools, unknown] = [0, 0];
  for (const [path, entry] of Object.entries(packages)) {
    if (!isInstalled(path) || entry.link === true) continue;
    const { version = '?', license, integrity } = entry;
    const what = `${nameOf(path)} ${version}`;
    const use: Use = runtime.has(path) ? 'runtime' : 'tool';
    if (use === 'tool') tools++;
    if (entry.hasInstallScript === true)
      problems.push(`${what} runs a script when it is installed: take a package that does not`);
    if (isElsewhere(path, packages)) {
      unknown++;
      continue;
    }
    if (integrity === undefined || !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity))
      problems.push(
        `${what} has no SHA-512 integrity, so npm cannot tell whether it was changed: run \`npm install\` again`,
      );
    if (license === undefined || !isAllowed(license, use)) {
      const place = use === 'runtime' ? 'what users install' : 'tools';
      problems.push(
        `${what} has ${license === undefined ? 'no licence' : `the licence "${license}"`}, which tools/supply/licences.ts does not allow for ${place}`,
      );
    }
  }
  const names = [...runtime].map(nameOf);
  for (const name of names.filter((each) => !expected.includes(each)))
    problems.push(
      `${name} is new among what users install: if that is wanted, name it in tools/supply/expected.ts and say in the package's README what it is for`,
    );
  for (const name of expected.filter((each) => !names.includes(each)))
    problems.push(`${name} is no longer among what users install: take it off tools/supply/expected.ts`);
  return { problems, runtime: runtime.size, tools, unknown };
}

/**
 * A tool's optional part for a platform that the registry did not have when the lock file was written
 * (tools/complete-lock.ts). Only its version is known, from a package whose content is; npm takes what the registry
 * has under it.
 */
function isElsewhere(path: string, packages: LockedPackages): boolean {
  const entry = packages[path];
  if (entry?.optional !== true || entry.integrity !== undefined || entry.license !== undefined) return false;
  if (entry.os === undefined && entry.cpu === undefined) return false;
  return Object.values(packages).some(
    ({ integrity, optionalDependencies }) =>
      integrity !== undefined && optionalDependencies?.[nameOf(path)] === entry.version,
  );
}
