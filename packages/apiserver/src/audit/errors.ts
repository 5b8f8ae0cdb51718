import { WindlassError } from '@windlass/base';

/** What was given as an audit policy is none. */
export class AuditPolicyError extends WindlassError {
  constructor(problem: string, cause?: unknown) {
    super(`the audit policy cannot be used: ${problem}`, { code: 'AUDIT_POLICY', cause });
  }
}
