import { X509Certificate } from 'node:crypto';
import { parseTime } from '@windlass/apimachinery';
import type { ReadonlyRequest } from './request-rules.ts';

const HOUR_MS = 3_600_000;
const DONE_MS = HOUR_MS;
const OPEN_MS = 24 * HOUR_MS;

/** When nobody needs a request any more, in milliseconds since 1970; Infinity when that is not known. */
export function cleanUpTime({ metadata, status }: ReadonlyRequest): number {
  const after = (time: string | null | undefined, ms: number): number =>
    time ? parseTime(time) + ms : Number.POSITIVE_INFINITY;
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return after(metadata.creationTimestamp, OPEN_MS);
  const isIssued = (status?.certificate ?? '') !== '';
  const times = conditions.map(({ type, lastUpdateTime }) => {
    if (type === 'Denied' || type === 'Failed') return after(lastUpdateTime, DONE_MS);
    if (type !== 'Approved') return Number.POSITIVE_INFINITY;
    return isIssued
      ? Math.min(after(lastUpdateTime, DONE_MS), endOf(status?.certificate ?? ''))
      : after(lastUpdateTime, OPEN_MS);
  });
  return Math.min(...times);
}

function endOf(certificate: string): number {
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  } catch {
    // Whatever it is, the other rules see to it.
    return Number.POSITIVE_INFINITY;
  }
}
