import { parseWideJson, type StatusDetails } from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';
import type { ResourceDefinition } from '../../resource/definition.ts';
import type { AdmissionRequest } from '../admission.ts';
import type { VersionedObjects } from '../matching/versioned-objects.ts';

export interface ReviewAnswer {
  readonly allowed: boolean;
  readonly status?: {
    readonly code?: number;
    readonly message?: string;
    readonly reason?: string;
    readonly details?: StatusDetails;
  };
  /** JSON Patch, already parsed. */
  readonly patch?: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

/** The question that a webhook is asked: admission.k8s.io/v1 AdmissionReview. */
export function reviewOf(request: AdmissionRequest, objects: VersionedObjects, uid: string): object {
  const { definition, operation, subresource, namespace, name, options, context } = request;
  const { name: username, uid: userUid, groups, extra } = context.user;
  const part = subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource };
  const isNamespace = definition.group === '' && definition.plural === 'namespaces';
  // A namespace that is there is in itself.
  const home = isNamespace && operation !== 'CREATE' ? name : namespace;
  return {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    request: {
      uid,
      ...kindAndResource(objects.definition, request.kind, 'kind', 'resource'),
      ...part,
      ...kindAndResource(definition, request.kind, 'requestKind', 'requestResource'),
      ...(name !== '' && { name }),
      ...(home !== '' && { namespace: home }),
      operation,
      userInfo: {
        username,
        ...(userUid !== undefined && { uid: userUid }),
        groups,
        ...(extra !== undefined && { extra }),
      },
      object: objects.object ?? null,
      oldObject: objects.oldObject ?? null,
      dryRun: context.isDryRun,
      // What is asked for is the object itself.
      options: operation === 'CONNECT' ? null : options,
    },
  };
}

function kindAndResource(
  definition: ResourceDefinition,
  own: AdmissionRequest['kind'],
  kindField: string,
  resourceField: string,
): object {
  const { group, version, kind, plural: resource } = definition;
  return { [kindField]: own ?? { group, version, kind }, [resourceField]: { group, version, resource } };
}

/** Throws an Error that says what is wrong with an answer. */
export function readAnswer(body: unknown, uid: string): ReviewAnswer {
  if (!isRecord(body) || body['kind'] !== 'AdmissionReview' || body['apiVersion'] !== 'admission.k8s.io/v1')
    throw new Error('expected webhook response of admission.k8s.io/v1, Kind=AdmissionReview');
  const { response } = body;
  if (!isRecord(response)) throw new Error('webhook response was absent');
  if (response['uid'] !== uid) throw new Error(`expected response.uid=${JSON.stringify(uid)}`);
  const warnings = Array.isArray(response['warnings'])
    ? response['warnings'].filter((warning): warning is string => typeof warning === 'string')
    : [];
  const status = response['status'];
  return {
    allowed: response['allowed'] === true,
    ...(typeof status === 'object' && status !== null && { status }),
    ...(response['patch'] !== undefined && { patch: readPatch(response) }),
    warnings,
    auditAnnotations: Object.fromEntries(
      Object.entries(response['auditAnnotations'] ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

function readPatch({ patch, patchType }: Record<string, unknown>): unknown {
  if (patchType !== 'JSONPatch' || typeof patch !== 'string')
    throw new Error('webhook response.patch needs response.patchType "JSONPatch" and base64');
  return parseWideJson(Buffer.from(patch, 'base64').toString('utf8'));
}
