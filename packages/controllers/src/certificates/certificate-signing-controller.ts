import { deepCopy, formatTime } from '@windlass/apimachinery';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { signRequest } from '@windlass/base';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { isOurSigner, signerProblem, validityMs } from './request-rules.ts';
import { hasCondition, parseRequest, withCondition } from './request-status.ts';

const DEFAULT_SIGNING_MS = 365 * 86_400_000;

/** Signs what was approved. Without an authority nothing is. */
export function addCertificateSigningController(manager: Manager, options: ControllerOptions): void {
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
        const asked = parseRequest(request);
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
