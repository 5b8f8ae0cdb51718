import { deepCopy, formatTime } from '@windlass/apimachinery';
import { SubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { recognize } from './request-rules.ts';
import { hasCondition, parseRequest, withCondition } from './request-status.ts';

/** Approves requests of nodes that are allowed to have what they ask for. */
export function addCertificateApprovingController(
  manager: Manager,
  { name, concurrency }: ControllerOptions,
): void {
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
        for (const { subresource, message } of recognize(request, parseRequest(request))) {
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
