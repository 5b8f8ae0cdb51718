/** The value of `error.type`: the error's code where it has one, and its name otherwise. */
export function errorType(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
