import {
  type ApiRequest,
  type Created,
  isStatus,
  type JsonPatchOperation,
  type KubeList,
  type KubeObject,
  type ResourceType,
  type Served,
  type Status,
} from '@windlass/apimachinery';
import type { TokenRequest, TokenRequestSpec } from '@windlass/apimachinery/api/authentication/v1';
import type { Binding } from '@windlass/apimachinery/api/core/v1';
import type { Eviction } from '@windlass/apimachinery/api/policy/v1';
import { asObject, asServed } from './answers.ts';
import {
  checkCreatable,
  checkName,
  isStored,
  namespaceFor,
  namespaceForObject,
  withTypeMeta,
} from './checks.ts';
import { METADATA_FORMAT, type PartialObjectMetadata } from './metadata-format.ts';
import { ObjectWriter } from './object-writer.ts';
import type { ApplyOptions, DeleteCollectionOptions, DeleteOptions, WriteOptions } from './options.ts';
import type { ApplyConfiguration, MergePatch, PatchOptions, StrategicPatch } from './patch.ts';
import { deleteBody, selectors, writeQuery } from './query.ts';
import { collectionPath, objectPath } from './resource-path.ts';
import { type ResourceContext, ResourceReader, subjectOf } from './resource-reader.ts';
import { ScaleClient } from './scale-client.ts';
import { bindPod, createServiceAccountToken, evictPod } from './special-subresources.ts';
import { SubresourceClient } from './subresource-client.ts';

/**
 * Everything that can be done with one kind of object. Objects are plain JSON, in and out: nothing is
 * converted and no field is lost. Immutable: `namespace` gives another one.
 */
export class ResourceClient<T extends KubeObject> extends ResourceReader<T> {
  readonly #writer: ObjectWriter<T>;

  constructor(context: ResourceContext) {
    super(context);
    this.#writer = new ObjectWriter(context, undefined);
  }

  /** The same for one namespace. */
  namespace(namespace: string): ResourceClient<T> {
    return new ResourceClient<T>({ ...this.context, namespace });
  }

  /** The same objects without spec and status, which is much less to send and to keep. */
  get metadata(): ResourceReader<PartialObjectMetadata> {
    return new ResourceReader(this.context, METADATA_FORMAT);
  }

  get status(): SubresourceClient<T> {
    return new SubresourceClient<T>(this.context, 'status');
  }

  get scale(): ScaleClient {
    return new ScaleClient(this.context);
  }

  /** Any other subresource, by its name in the path. */
  subresource<S extends KubeObject = T>(name: string): SubresourceClient<S> {
    return new SubresourceClient<S>(this.context, name);
  }

  async create(object: T, options: WriteOptions = {}): Promise<Created<T>> {
    const { target, namespace, defaults } = this.context;
    const type = await target.resolve(options.signal);
    const body = withTypeMeta(type, object);
    checkCreatable(type, object);
    const path = collectionPath(type, namespaceForObject(type, namespace, object));
    const query = writeQuery(options, defaults);
    const request = { method: 'POST' as const, path, query, body };
    const answer = await this.#send(type, request, options, object.metadata?.name);
    // Which kind of object it is, the path decided. What is not stored is answered without a name.
    return (isStored(type) ? asServed<T>(answer, type) : asObject(answer, type)) as Created<T>;
  }

  /** Overwrites. With `metadata.resourceVersion` it is refused (`isConflict`) if somebody else wrote first. */
  replace(object: T, options: WriteOptions = {}): Promise<Served<T>> {
    return this.#writer.replace(object, options);
  }

  /** A list of operations is a JSON patch, an object a merge patch; a strategic one says so by `type`. */
  patch(
    name: string,
    patch: MergePatch<T> | StrategicPatch<T> | readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<Served<T>> {
    return this.#writer.patch(name, patch, options);
  }

  /** Server-side apply: creates the object or changes the fields that the configuration names. */
  apply(configuration: ApplyConfiguration<T>, options: ApplyOptions = {}): Promise<Served<T>> {
    return this.#writer.apply(configuration, options);
  }

  /** Resolves with the object when it is still there and being deleted, with a Status when it is gone. */
  async delete(name: string, options: DeleteOptions = {}): Promise<Served<T> | Status> {
    const type = await this.context.target.resolve(options.signal);
    checkName(type.kind, name);
    const path = objectPath(type, namespaceFor(type, this.context.namespace), name);
    const request = { method: 'DELETE' as const, path, ...withBody(deleteBody(options)) };
    const answer = await this.#send(type, request, options, name);
    return isStatus(answer) ? answer : asServed<T>(answer, type);
  }

  /** Deletes what the selectors match; without any, everything here. */
  async deleteCollection(options: DeleteCollectionOptions = {}): Promise<KubeList<Served<T>> | Status> {
    const type = await this.context.target.resolve(options.signal);
    const path = collectionPath(type, namespaceFor(type, this.context.namespace));
    const request = {
      method: 'DELETE' as const,
      path,
      query: selectors(options),
      ...withBody(deleteBody(options)),
    };
    // Which kind of list it is, the path decided; a server may answer with a Status instead.
    return asObject(await this.#send(type, request, options), type);
  }

  /** Pods only: a delete that respects disruption budgets. Refused with 429 while one forbids it. */
  evict(name: string, options: DeleteOptions = {}): Promise<Status> {
    return evictPod(this.context, this.subresource<Eviction>('eviction'), name, options);
  }

  /** Pods only: assigns it to a node, which is what a scheduler does. */
  bind(name: string, node: string, options: WriteOptions = {}): Promise<Status> {
    return bindPod(this.context, this.subresource<Binding>('binding'), name, node, options);
  }

  /** Service accounts only: a token that speaks for it. */
  createToken(
    name: string,
    spec: Partial<TokenRequestSpec> = {},
    options: WriteOptions = {},
  ): Promise<TokenRequest> {
    return createServiceAccountToken(
      this.context,
      this.subresource<TokenRequest>('token'),
      name,
      spec,
      options,
    );
  }

  async #send(
    type: ResourceType,
    request: ApiRequest,
    options: WriteOptions,
    name?: string,
  ): Promise<unknown> {
    const subject = subjectOf(request.method, type, name);
    const { body } = await this.context.caller.call(request, subject, options);
    return body;
  }
}

function withBody(body: object | undefined): Pick<ApiRequest, 'body'> {
  return body === undefined ? {} : { body };
}
