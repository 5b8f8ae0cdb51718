import { isJsonObject, type KubeObject } from '@windlass/apimachinery';
import type { RequestReport } from '@windlass/client';

/** What a request to the API server writes; undefined for reads, and for what is no object. */
export interface RequestedWrite {
  readonly verb: string;
  /** `deployments.apps`, with `/status` for a subresource. */
  readonly resource: string;
  /** Of the kind alone. */
  readonly kind: string;
  readonly key: string;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

const APPLY = /^application\/apply-patch/;

export function writeOf({ request, subject }: RequestReport): RequestedWrite | undefined {
  const verb = VERBS[request.method];
  const { resource: of } = subject;
  if (verb === undefined || of === undefined) return undefined;
  const kind = of.group === '' ? of.resource : `${of.resource}.${of.group}`;
  const steps = request.path.split('/').map(decodeURIComponent);
  const at = steps.lastIndexOf(of.resource);
  const namespace = /^namespaces$/.test(steps[at - 2] ?? '') ? (steps[at - 1] ?? '') : '';
  const name = steps[at + 1] ?? subject.name ?? nameIn(request.body);
  const subresource = steps[at + 2];
  return {
    verb: verb === 'patch' && APPLY.test(request.headers?.['content-type'] ?? '') ? 'apply' : verb,
    resource: subresource === undefined ? kind : `${kind}/${subresource}`,
    kind,
    key: namespace === '' ? name : `${namespace}/${name}`,
  };
}

function nameIn(body: unknown): string {
  const metadata = isJsonObject(body) ? body['metadata'] : undefined;
  const name = isJsonObject(metadata) ? (metadata['name'] ?? metadata['generateName']) : undefined;
  return typeof name === 'string' ? name : '';
}

/** The object of an answer, if it is one. */
export function objectOf(body: unknown): KubeObject | undefined {
  if (!isJsonObject(body) || !isJsonObject(body['metadata'])) return undefined;
  return body['kind'] === 'Status' ? undefined : body;
}
