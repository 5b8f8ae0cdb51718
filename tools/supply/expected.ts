/** What users of the published package install with it. Each is explained in the README of the package that needs it. */
export const EXPECTED_RUNTIME: readonly string[] = ['jose', 'undici', 'yaml'];
