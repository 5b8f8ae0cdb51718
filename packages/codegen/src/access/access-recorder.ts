import {
  type ApiRequest,
  type ApiResponse,
  type ApiWatchResponse,
  apiVersionOf,
  encodeYamlDocuments,
  type ResourceType,
  type Transport,
} from '@windlass/apimachinery';
import { isObject } from '../generate/json.ts';
import { type Access, accessOf, type RequestWay } from './access.ts';
import { policyRules } from './policy-rules.ts';
import { roleManifests } from './role-manifests.ts';

export interface AccessRecorderOptions {
  /** Kinds that own others: whoever sets them as owners needs a permission for that on some clusters. */
  readonly owners?: readonly ResourceType[];
}

export interface AccessManifestOptions {
  /** Of the roles and the service account. */
  readonly name: string;
  /** Where the program runs. What it needs there alone goes into a Role. */
  readonly namespace: string;
}

/**
 * Notes what a program asks of the API, so that its roles can be derived from that: put it between the program
 * and the server in tests that let the program do all that it ever does.
 */
export class AccessRecorder {
  readonly #owners: readonly ResourceType[];
  readonly #accesses: Access[] = [];

  constructor({ owners = [] }: AccessRecorderOptions = {}) {
    this.#owners = owners;
  }

  /** The same way to the server, with every request noted. */
  readonly through = (inner: Transport): Transport => ({
    request: (request: ApiRequest): Promise<ApiResponse> => {
      this.#note(request, 'request');
      return inner.request(request);
    },
    watch: (request: ApiRequest): Promise<ApiWatchResponse> => {
      this.#note(request, 'watch');
      return inner.watch(request);
    },
    ...this.#streams(inner),
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  });

  /** What the transport can do besides requests and watches, and nothing that it cannot. */
  #streams(inner: Transport): Pick<Transport, 'stream' | 'upgrade'> {
    const stream = inner.stream?.bind(inner);
    const upgrade = inner.upgrade?.bind(inner);
    return {
      ...(stream !== undefined && {
        stream: (request: ApiRequest) => {
          this.#note(request, 'request');
          return stream(request);
        },
      }),
      ...(upgrade !== undefined && {
        upgrade: (request: ApiRequest) => {
          this.#note(request, 'upgrade');
          return upgrade(request);
        },
      }),
    };
  }

  /** ServiceAccount, roles and bindings that allow what was noted, and no more, as YAML. */
  manifests({ name, namespace }: AccessManifestOptions): string {
    const isOwn = (access: Access): boolean => access.namespace === namespace;
    const rules = policyRules(this.#accesses.filter((access) => !isOwn(access)));
    const ownRules = policyRules(this.#accesses.filter(isOwn));
    return encodeYamlDocuments(roleManifests({ name, namespace, rules, ownRules }));
  }

  #note(request: ApiRequest, way: RequestWay): void {
    const access = accessOf(request, way);
    if (access === undefined) return;
    this.#accesses.push(access);
    for (const { apiVersion, kind } of blockingOwners(request.body)) {
      const owner = this.#owners.find((type) => type.kind === kind && apiVersionOf(type) === apiVersion);
      if (owner === undefined) continue;
      const { group, plural } = owner;
      this.#accesses.push({
        group,
        resource: `${plural}/finalizers`,
        namespace: undefined,
        verbs: ['update'],
      });
    }
  }
}

/** The owners that shall not go before what they own. */
function blockingOwners(body: unknown): { readonly apiVersion: unknown; readonly kind: unknown }[] {
  const metadata = isObject(body) ? body['metadata'] : undefined;
  const owners = isObject(metadata) ? metadata['ownerReferences'] : undefined;
  if (!Array.isArray(owners)) return [];
  return owners
    .filter(isObject)
    .filter((owner) => owner['blockOwnerDeletion'] === true)
    .map((owner) => ({ apiVersion: owner['apiVersion'], kind: owner['kind'] }));
}
