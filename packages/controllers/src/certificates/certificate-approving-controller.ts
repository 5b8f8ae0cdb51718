import { deepCopy, formatTime, keyOf } from '@windlass/apimachinery';
import { SubjectAccessReview } from '@windlass/apimachinery/api/authorization/v1';
import { CertificateSigningRequest } from '@windlass/apimachinery/api/certificates/v1';
import { Node } from '@windlass/apimachinery/api/core/v1';
import type { Manager } from '@windlass/runtime';
import type { ControllerOptions } from '../options/controller-options.ts';
import { NODE_USER, type ReadonlyRequest, recognize } from './request-rules.ts';
import { hasCondition, parseRequest, withCondition } from './request-status.ts';
import { servingNodeOf, servingProblem } from './serving-rules.ts';

const BY_USER = 'windlass.dev/certificate-requests-by-user';

/** Approves requests of nodes that are allowed to have what they ask for. */
export function addCertificateApprovingController(
  manager: Manager,
  { name, concurrency, servingApproval }: ControllerOptions,
): void {
  const requests = manager.objects(CertificateSigningRequest);
  const { clock, client } = manager;
  const mayCreate = async (
    { spec }: ReadonlyRequest,
    subresource: string,
    signal: AbortSignal,
  ): Promise<boolean> => {
    const { username = '', uid, groups, extra } = spec;
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
    return review.status?.allowed === true;
  };
  const approve = async (request: ReadonlyRequest, message: string, signal: AbortSignal): Promise<void> => {
    const condition = { type: 'Approved', reason: 'AutoApproved', message };
    await client
      .resource(CertificateSigningRequest)
      .subresource<CertificateSigningRequest>('approval')
      .replace(withCondition(request, condition, formatTime(clock.now())), { signal });
  };
  const builder = manager.controller(name).for(CertificateSigningRequest);
  const nodes = servingApproval === undefined ? undefined : manager.cluster.cache.kind(Node);
  if (nodes !== undefined) {
    const known = manager.cluster.cache.kind(CertificateSigningRequest);
    known.addIndexers({ [BY_USER]: ({ spec }) => [spec.username ?? ''] });
    // A node may ask before its status says where it is.
    builder.watches(Node, (node) => known.byIndex(BY_USER, NODE_USER + node.metadata.name).map(keyOf));
  }
  builder.reconcile(
    async (key, { signal, logger }) => {
      const request = await requests.find(key, { signal });
      if (request === undefined || (request.status?.certificate ?? '') !== '') return;
      if (hasCondition(request, 'Approved', 'Denied')) return;
      const asked = parseRequest(request);
      for (const { subresource, message } of recognize(request, asked)) {
        if (await mayCreate(request, subresource, signal)) {
          await approve(request, message, signal);
          return;
        }
        const { username } = request.spec;
        logger.info('a request was recognized, but who made it may not', { subresource, username });
      }
      if (servingApproval === undefined || nodes === undefined) return;
      const nodeName = servingNodeOf(request, asked);
      if (nodeName === undefined) return;
      const problem = servingProblem(asked, nodes.find(nodeName), nodes.list(), servingApproval);
      if (problem === undefined)
        await approve(
          request,
          'Auto approving the serving certificate of a node for its own addresses.',
          signal,
        );
      else logger.info('a serving certificate is left to people', { nodeName, problem });
    },
    { concurrency },
  );
}
