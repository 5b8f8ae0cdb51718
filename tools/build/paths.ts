const ROOT = new URL('../../', import.meta.url);

export const OUTPUT = new URL('dist/windlass/', ROOT);
export const PACKAGES_FOLDER = new URL('packages/', ROOT);
export const PUBLISHED = new URL('windlass/', PACKAGES_FOLDER);

export const inRoot = (path: string): URL => new URL(path, ROOT);
