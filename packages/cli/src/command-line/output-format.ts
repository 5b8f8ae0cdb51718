import { UsageError } from './exit.ts';

export const OUTPUT_OPTIONS = { output: { type: 'string' } } as const;

export type OutputFormat = 'text' | 'json';

/** @throws UsageError */
export function outputFormat(given: string | undefined): OutputFormat {
  const format = given ?? 'text';
  if (format === 'text' || format === 'json') return format;
  throw new UsageError(`--output must be text or json, but it is "${format}"`);
}
