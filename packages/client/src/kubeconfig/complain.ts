import { KubeconfigError } from '../errors.ts';
import type { Origin } from './types.ts';

/** Makes the error for one field of an entry. */
export type Complain = (field: string, problem: string) => KubeconfigError;

export function complainAbout(entry: Origin, context: string): Complain {
  return (field, problem) =>
    new KubeconfigError(
      problem,
      { file: entry.file, context, field: `${entry.field}.${field}` },
      { code: 'KUBECONFIG_INVALID' },
    );
}
