import {
  type ApiRequest,
  type ApiResponse,
  type ApiWatchResponse,
  apiVersionOf,
  type ResourceType,
  type Transport,
} from '@windlass/apimachinery';
import { isObject } from '../generate/json.ts';
import { type Access, accessOf, type RequestWay } from './access.ts';
import { type AccessManifestOptions, accessManifests } from './access-manifests.ts';

/** Options of a recorder of requests. */
export interface AccessRecorderOptions {
  /** Kinds that own others: whoever sets them as owners needs a permission for that on some clusters. */
  readonly owners?: readonly ResourceType[];
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

  /** What was asked so far, each once and in a stable order. To be kept, and merged with that of other tests. */
  get accesses(): readonly Access[] {
    const unique = new Map(this.#accesses.map((access) => [JSON.stringify(access), access]));
    return [...unique].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, access]) => access);
  }

  /** ServiceAccount, roles and bindings that allow what was noted and what the runtime itself needs, as YAML. */
  manifests(options: AccessManifestOptions): string {
    return accessManifests(this.#accesses, options);
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
