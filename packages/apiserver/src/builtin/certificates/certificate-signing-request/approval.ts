import { type FieldError, FieldPath, fieldForbidden, formatTime } from '@windlass/apimachinery';
import type { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import type { PartStrategy } from '../../../resource/strategy.ts';
import type { DraftOf, View } from '../../../resource/views.ts';
import { conditionOf } from '../../shared/columns.ts';
import { restoreAllButMetadata } from '../../shared/part.ts';

type Request = View<CertificateSigningRequest>;

const CONDITIONS = FieldPath.of('status', 'conditions');

/** `certificatesigningrequests/approval`: the conditions Approved and Denied, and nothing else. */
export const approval: PartStrategy<DraftOf<CertificateSigningRequest>, Request> = {
  prepare(draft, old, { clock }) {
    const asked = restoreAllButMetadata(draft, old);
    const conditions = asked.status?.conditions ?? [];
    if (conditions.length === 0) return;
    const now = formatTime(clock.now());
    // Of conditions of one type the first counts, so that it is set last.
    const byType = new Map(
      (old.status?.conditions ?? []).toReversed().map((condition) => [condition.type, condition]),
    );
    for (const condition of conditions) {
      condition.lastUpdateTime ??= now;
      const before = byType.get(condition.type);
      const since = before?.status === condition.status ? before?.lastTransitionTime : now;
      if (since !== undefined) condition.lastTransitionTime ??= since;
    }
    draft.status ??= {};
    draft.status.conditions = conditions;
  },
  validate({ status }, old) {
    const has = (of: Request['status'], type: string): boolean =>
      conditionOf(of?.conditions, type) !== undefined;
    const errors: FieldError[] = [];
    for (const type of ['Approved', 'Denied']) {
      if (has(old.status, type) && !has(status, type))
        errors.push(
          fieldForbidden(CONDITIONS, `updates may not remove a condition of type ${JSON.stringify(type)}`),
        );
    }
    if (has(status, 'Approved') && has(status, 'Denied'))
      errors.push(fieldForbidden(CONDITIONS, 'Approved and Denied conditions are mutually exclusive'));
    return errors;
  },
};
