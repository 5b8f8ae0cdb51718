import { WindlassError } from '@windlass/base';

/** A kubeconfig that is not only ours could not be changed. It is as it was. */
export class MergeKubeconfigError extends WindlassError {
  constructor(file: string, problem: string, cause?: unknown) {
    super(`the kubeconfig ${file} was not changed: ${problem}`, { code: 'KUBECONFIG_NOT_MERGED', cause });
  }
}
