import { deepCopy, formatTime, isConflict, isNotFound, keyOf } from '@windlass/apimachinery';
import { SubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import {
  CertificateSigningRequest,
  type CertificateSigningRequestCondition,
} from '@windlass/apimachinery/api/certificates/v1';
import { parseSigningRequest, type SigningRequest, signRequest } from '@windlass/base';
import { type Manager, TerminalError } from '@windlass/runtime';
import type { ControllerOptions } from '../controller-options.ts';
import { nameOf, uidOf } from '../shared/meta.ts';
import { cleanUpTime } from './clean-up.ts';
import { isOurSigner, type ReadonlyRequest, recognize, signerProblem, validityMs } from './request-rules.ts';

const DEFAULT_SIGNING_MS = 365 * 86_400_000;

const hasCondition = ({ status }: ReadonlyRequest, ...types: string[]): boolean =>
  (status?.conditions ?? []).some(({ type, status: state }) => types.includes(type) && state !== 'False');

/** What cannot be read today cannot be read tomorrow. */
function read(request: ReadonlyRequest): SigningRequest {
  try {
    return parseSigningRequest(Buffer.from(request.spec.request, 'base64').toString('utf8'));
  } catch (error) {
    throw new TerminalError(`unable to parse csr "${nameOf(request)}"`, error);
  }
}

function withCondition(
  request: ReadonlyRequest,
  condition: Pick<CertificateSigningRequestCondition, 'type' | 'reason' | 'message'>,
  now: string,
): CertificateSigningRequest {
  const next = deepCopy<CertificateSigningRequest>(request);
  const stated = { ...condition, status: 'True', lastUpdateTime: now, lastTransitionTime: now };
  next.status = { ...next.status, conditions: [...(next.status?.conditions ?? []), stated] };
  return next;
}

/** Approves requests of nodes that are allowed to have what they ask for. */
export function addCertificateApproving(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const requests = manager.objects(CertificateSigningRequest);
  const { clock, client } = manager;
  manager
    .controller(name)
    .for(CertificateSigningRequest)
    .reconcile(
      async (key, { signal, logger }) => {
        const request = await requests.find(key, { signal });
        if (request === undefined || (request.status?.certificate ?? '') !== '') return;
        if (hasCondition(request, 'Approved', 'Denied')) return;
        const { username = '', uid, groups, extra } = request.spec;
        for (const { subresource, message } of recognize(request, read(request))) {
          const review = await client.resource(SubjectAccessReview).create(
            {
              spec: {
                user: username,
                ...(uid !== undefined && { uid }),
                ...(groups !== undefined && { groups: [...groups] }),
                ...(extra !== undefined && { extra: deepCopy<Record<string, string[]>>(extra) }),
                resourceAttributes: {
                  group: 'certificates.k8s.io',
                  version: '*',
                  resource: 'certificatesigningrequests',
                  subresource,
                  verb: 'create',
                },
              },
            },
            { signal },
          );
          if (review.status?.allowed !== true) {
            logger.info('a request was recognized, but who made it may not', { subresource, username });
            continue;
          }
          const condition = { type: 'Approved', reason: 'AutoApproved', message };
          await client
            .resource(CertificateSigningRequest)
            .subresource<CertificateSigningRequest>('approval')
            .replace(withCondition(request, condition, formatTime(clock.now())), { signal });
          return;
        }
      },
      { concurrency },
    );
}

/** Signs what was approved. Without an authority nothing is. */
export function addCertificateSigning(manager: Manager, options: ControllerOptions): void {
  const { name, concurrency, signing } = options;
  if (signing === undefined) return;
  const requests = manager.objects(CertificateSigningRequest);
  const { clock, random } = manager;
  manager
    .controller(name)
    .for(CertificateSigningRequest)
    .reconcile(
      async (key, { signal }) => {
        const request = await requests.find(key, { signal });
        if (request === undefined || !isOurSigner(request.spec.signerName)) return;
        if (!hasCondition(request, 'Approved') || hasCondition(request, 'Denied', 'Failed')) return;
        if ((request.status?.certificate ?? '') !== '') return;
        const asked = read(request);
        const usages = request.spec.usages ?? [];
        const problem = signerProblem(request.spec.signerName, asked, usages);
        if (problem !== undefined) {
          const condition = { type: 'Failed', reason: 'SignerValidationFailure', message: problem };
          await requests.status.update(withCondition(request, condition, formatTime(clock.now())), {
            signal,
          });
          return;
        }
        const validMs = validityMs(request, signing.maxValidityMs ?? DEFAULT_SIGNING_MS);
        const certificate = signRequest(asked, { usages, validMs }, { clock, random }, signing);
        const next = deepCopy<CertificateSigningRequest>(request);
        next.status = { ...next.status, certificate: Buffer.from(certificate).toString('base64') };
        await requests.status.update(next, { signal });
      },
      { concurrency },
    );
}

/** Deletes requests that nobody needs any more. */
export function addCertificateCleaner(manager: Manager, { name, concurrency }: ControllerOptions): void {
  const requests = manager.objects(CertificateSigningRequest);
  const { clock } = manager;
  manager
    .controller(name)
    .for(CertificateSigningRequest)
    .reconcile(
      async (key, { signal }) => {
        const request = await requests.find(key, { signal });
        if (request === undefined) return undefined;
        const at = cleanUpTime(request);
        if (at === Number.POSITIVE_INFINITY) return undefined;
        if (at >= clock.now()) return { requeueAfterMs: at - clock.now() + 1 };
        try {
          await requests.delete(keyOf(request), { preconditions: { uid: uidOf(request) }, signal });
        } catch (error) {
          if (!isConflict(error) && !isNotFound(error)) throw error;
        }
        return undefined;
      },
      { concurrency },
    );
}
