import type { Served } from '@windlass/apimachinery';
import { type DirectPVDrive, type DirectPVVolume, LABELS, type Outcome } from '@windlass/directpv';
import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import type { AdminCall } from './admin-call.ts';

/** How to say it: `cordoned`, or with a dry run `would be cordoned`. */
export interface Wording {
  readonly done: string;
  /** When nothing had to be done. */
  readonly before: string;
}

/** `Drive 3f… (node-1/sdb)` */
export function titleOf(object: Served<DirectPVDrive | DirectPVVolume>): string {
  const { name, labels = {} } = object.metadata;
  const kind = 'targetPath' in object.status ? 'Volume' : 'Drive';
  return `${kind} ${name} (${labels[LABELS.node] ?? '-'}/${labels[LABELS.driveName] ?? '-'})`;
}

/** A line for each; what was refused goes to stderr and makes the call a failure. */
export function report<T extends DirectPVDrive | DirectPVVolume>(
  call: AdminCall,
  outcomes: readonly Outcome<T>[],
  { done, before }: Wording,
  isComplete: boolean,
): number {
  let code = isComplete ? EXIT_OK : EXIT_FAILED;
  for (const { object, result, reason } of outcomes) {
    if (result === 'changed')
      call.print(`${titleOf(object)} ${call.has('dry-run') ? `would be ${done}` : done}\n`);
    else if (result === 'unchanged') call.print(`${titleOf(object)} ${before}\n`);
    else {
      call.complain(`${titleOf(object)} was left alone: ${reason ?? ''}`);
      code = EXIT_FAILED;
    }
  }
  return code;
}
