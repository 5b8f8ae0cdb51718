import { newAccessDenied } from '@windlass/apimachinery';
import type { Authorizer } from '../access/authorizer.ts';
import type { Call } from './call.ts';

/** @throws StatusError 403 when the caller may not do it */
export function authorizeCall({ request, info, audit }: Call, authorizer: Authorizer): void {
  const { user } = request;
  const { verb, group, version, resource, subresource, namespace, name, path, isResourceRequest } = info;
  const { fieldSelector } = info;
  const decision = authorizer.authorize({
    user,
    verb,
    isResourceRequest,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    fieldSelector,
    path,
  });
  audit?.authorized(decision);
  if (decision.isAllowed) return;
  if (!isResourceRequest) throw newAccessDenied({ user: user.name, verb, path }, decision.reason);
  throw newAccessDenied(
    { user: user.name, verb, group, resource, subresource, namespace, name },
    decision.reason,
  );
}
