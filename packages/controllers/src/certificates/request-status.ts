import { deepCopy } from '@windlass/apimachinery';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '@windlass/apimachinery/api/certificates/v1';
import { parseSigningRequest, type SigningRequest } from '@windlass/base';
import { TerminalError } from '@windlass/runtime';
import type { ReadonlyRequest } from './request-rules.ts';

export const hasCondition = ({ status }: ReadonlyRequest, ...types: string[]): boolean =>
  (status?.conditions ?? []).some(({ type, status: state }) => types.includes(type) && state !== 'False');

/** What cannot be read today cannot be read tomorrow. */
export function parseRequest(request: ReadonlyRequest): SigningRequest {
  try {
    return parseSigningRequest(Buffer.from(request.spec.request, 'base64').toString('utf8'));
  } catch (error) {
    throw new TerminalError(`unable to parse csr "${request.metadata.name}"`, error);
  }
}

export function withCondition(
  request: ReadonlyRequest,
  condition: Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'>,
  now: string,
): CertificateSigningRequest {
  const next = deepCopy<CertificateSigningRequest>(request);
  const stated = { ...condition, status: 'True', lastUpdateTime: now, lastTransitionTime: now };
  next.status = { ...next.status, conditions: [...(next.status?.conditions ?? []), stated] };
  return next;
}
