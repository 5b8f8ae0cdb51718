import { WindlassError } from '@windlass/base';
import { compareUtf8 } from '../../json/go-format.ts';
import type { StatusCause } from '../../status/status.ts';
import { newApplyConflict } from '../../status/status-constructors.ts';
import type { StatusError } from '../../status/status-error.ts';
import { goQuote } from '../../text/go-text.ts';
import { FieldSet } from '../fields/field-set.ts';
import { type ElementPath, formatPath } from '../fields/path-element.ts';
import { type Manager, managerId } from './managers.ts';

/** A field that an apply would change, and who owns it. */
export interface FieldConflict {
  readonly manager: Manager;
  readonly path: ElementPath;
}

/** Inside this package only: callers see the StatusError that is made of it. */
export class FieldConflicts extends WindlassError {
  readonly conflicts: readonly FieldConflict[];

  constructor(conflicts: readonly FieldConflict[]) {
    super('other managers own what would change', { code: 'APPLY_CONFLICT' });
    this.conflicts = conflicts.toSorted((a, b) => compareUtf8(managerId(a.manager), managerId(b.manager)));
  }

  get paths(): FieldSet {
    return FieldSet.of(...this.conflicts.map(({ path }) => path));
  }

  /** The same without the conflicts about these fields. */
  without(fields: FieldSet): FieldConflicts {
    return new FieldConflicts(this.conflicts.filter(({ path }) => !fields.has(path)));
  }

  toStatusError(): StatusError {
    const causes = this.conflicts.map(
      ({ manager, path }): StatusCause => ({
        reason: 'FieldManagerConflict',
        message: `conflict with ${describeManager(manager)}`,
        field: formatPath(path),
      }),
    );
    return newApplyConflict(causes, conflictMessage(this.conflicts));
  }
}

function conflictMessage(conflicts: readonly FieldConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1)
    return `Apply failed with 1 conflict: conflict with ${describeManager(first.manager)}: ${formatPath(first.path)}`;
  const lines: string[] = [];
  let current: Manager | undefined;
  for (const { manager, path } of conflicts) {
    if (manager !== current) lines.push(`conflicts with ${describeManager(manager)}:`);
    current = manager;
    lines.push(`- ${formatPath(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function describeManager({ name, operation, apiVersion, subresource }: Manager): string {
  const who =
    subresource === '' ? goQuote(name) : `${goQuote(name)} with subresource ${goQuote(subresource)}`;
  return operation === 'Update' ? `${who} using ${apiVersion}` : who;
}
