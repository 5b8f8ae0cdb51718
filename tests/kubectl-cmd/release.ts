/** Such as `v1.32` of `v1.32.4-dispatcher`. */
export function minorRelease(version: string): string {
  const release = /^v\d+\.\d+/.exec(version)?.[0];
  if (release === undefined) throw new Error(`"${version}" is not the version of a kubectl, such as v1.32.4`);
  return release;
}

/** The newest of the versions that is of this minor release and no preview, or undefined. */
export function newestPatch(versions: readonly string[], minor: string): string | undefined {
  const patches = versions
    .filter((version) => version.startsWith(`${minor}.`))
    .map((version) => version.slice(minor.length + 1))
    .filter((patch) => /^\d+$/.test(patch))
    .map(Number);
  return patches.length === 0 ? undefined : `${minor}.${Math.max(...patches)}`;
}
