// Subresources that belong to one kind each, and are commands more than objects.
import type { Status } from '@windlass/apimachinery';
import type { TokenRequest, TokenRequestSpec } from '@windlass/apimachinery/api/authentication/v1';
import type { Binding } from '@windlass/apimachinery/api/core/v1';
import type { Eviction } from '@windlass/apimachinery/api/policy/v1';
import { InvalidRequestError } from '../errors.ts';
import type { DeleteOptions, WriteOptions } from './options.ts';
import { deleteBody } from './query.ts';
import type { ResourceContext } from './resource-reader.ts';
import type { SubresourceClient } from './subresource-client.ts';

export async function evictPod(
  context: ResourceContext,
  client: SubresourceClient<Eviction>,
  name: string,
  options: DeleteOptions,
): Promise<Status> {
  await requireResource(context, 'pods', 'evicted', options.signal);
  const { gracePeriodSeconds, propagationPolicy, preconditions, dryRun, ...call } = options;
  // The eviction has a dry run of its own; the one in its delete options does not count.
  const deleteOptions = deleteBody({
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(preconditions === undefined ? {} : { preconditions }),
  });
  const eviction: Eviction = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, ...(context.namespace === undefined ? {} : { namespace: context.namespace }) },
    ...(deleteOptions === undefined ? {} : { deleteOptions }),
  };
  return client.create<Status>(name, eviction, { ...call, ...(dryRun === true ? { dryRun } : {}) });
}

export async function bindPod(
  context: ResourceContext,
  client: SubresourceClient<Binding>,
  name: string,
  node: string,
  options: WriteOptions,
): Promise<Status> {
  await requireResource(context, 'pods', 'bound', options.signal);
  const binding: Binding = {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...(context.namespace === undefined ? {} : { namespace: context.namespace }) },
    target: { apiVersion: 'v1', kind: 'Node', name: node },
  };
  return client.create<Status>(name, binding, options);
}

export async function createServiceAccountToken(
  context: ResourceContext,
  client: SubresourceClient<TokenRequest>,
  name: string,
  spec: Partial<TokenRequestSpec>,
  options: WriteOptions,
): Promise<TokenRequest> {
  await requireResource(context, 'serviceaccounts', 'given tokens', options.signal);
  const request: TokenRequest = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: [], ...spec },
  };
  return client.create(name, request, options);
}

async function requireResource(
  context: ResourceContext,
  plural: string,
  done: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const type = await context.target.resolve(signal);
  if (type.group === '' && type.plural === plural) return;
  throw new InvalidRequestError(`only ${plural} can be ${done}, but this client is for ${type.kind}`);
}
