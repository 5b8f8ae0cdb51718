import { newForbidden } from '@windlass/apimachinery';
import type { Authorizer } from '../access/authorizer.ts';
import type { ServerResponse } from '../exchange/exchange.ts';
import type { ConnectForm } from '../resource/connect.ts';
import type { SubresourceDefinition } from '../resource/definition.ts';
import type { Draft } from '../resource/strategy.ts';
import type { VerbRuntime } from '../verbs/runtime.ts';
import { contextOf, type ResourceCall } from './call.ts';
import { pathAfter } from './path-after.ts';

export interface ConnectServices {
  readonly runtime: VerbRuntime;
  readonly authorizer: Authorizer;
}

/** Hands a request on to a node or a pod, once the caller may and admission agrees. Its body is not read before. */
export async function serveConnect(
  call: ResourceCall,
  subresource: SubresourceDefinition,
  form: ConnectForm,
  { runtime, authorizer }: ConnectServices,
): Promise<ServerResponse> {
  const { request, info } = call;
  const { query = {}, headers = {}, path, method, openBody, isUpgrade = false } = request;
  const { namespace, name } = info;
  if (form.alsoNeeds !== undefined && info.verb !== form.alsoNeeds)
    authorizeToo(call, form.alsoNeeds, authorizer);
  const rest = form.takesPath ? pathAfter(path, info) : '';
  const context = contextOf(call, runtime, { isDryRun: false });
  const options = form.optionsOf?.(query, rest);
  if (options !== undefined) await admit(call, subresource, { options, context, runtime });
  return form.handle({
    method,
    namespace,
    name,
    path,
    rest,
    query,
    headers,
    options,
    isUpgrade,
    openBody,
    context,
  });
}

function authorizeToo({ request, info }: ResourceCall, verb: string, authorizer: Authorizer): void {
  const decision = authorizer.authorize({ ...info, user: request.user, verb });
  if (!decision.isAllowed)
    throw newForbidden({ group: info.group, resource: info.resource }, info.name, decision.reason);
}

async function admit(
  { definition, info }: ResourceCall,
  { kind, name: subresource }: SubresourceDefinition,
  {
    options,
    context,
    runtime,
  }: { options: Draft; context: ReturnType<typeof contextOf>; runtime: VerbRuntime },
): Promise<void> {
  const { namespace, name } = info;
  const request = {
    operation: 'CONNECT' as const,
    definition,
    subresource,
    kind,
    namespace,
    name,
    object: options,
    oldObject: undefined,
    options: {},
    context,
  };
  await runtime.admission.mutate(request);
  await runtime.admission.validate(request);
}
