import type {
  ApiRequest,
  JsonPatchOperation,
  KubeObject,
  ResourceType,
  Served,
} from '@windlass/apimachinery';
import { InvalidRequestError } from '../errors.ts';
import { asServed } from './answers.ts';
import { checkName, nameOf, namespaceFor, namespaceForObject, withTypeMeta } from './checks.ts';
import type { ApplyOptions, WriteOptions } from './options.ts';
import {
  APPLY_MEDIA_TYPE,
  type ApplyConfiguration,
  type MergePatch,
  type PatchOptions,
  patchMediaType,
  type StrategicPatch,
} from './patch.ts';
import { applyQuery, writeQuery } from './query.ts';
import { objectPath } from './resource-path.ts';
import { type ResourceContext, subjectOf } from './resource-reader.ts';

/**
 * The writes that an object and its subresources have in common: replace, patch, apply. For the object
 * itself `subresource` is undefined.
 */
export class ObjectWriter<T extends KubeObject> {
  readonly #context: ResourceContext;
  readonly #subresource: string | undefined;
  /** The kind that is written: for `scale` it is not the resource's. */
  readonly #kindOf: (type: ResourceType) => ResourceType;

  constructor(
    context: ResourceContext,
    subresource: string | undefined,
    kindOf: (type: ResourceType) => ResourceType = (type) => type,
  ) {
    this.#context = context;
    this.#subresource = subresource;
    this.#kindOf = kindOf;
  }

  async replace(object: T, options: WriteOptions): Promise<Served<T>> {
    const type = await this.#context.target.resolve(options.signal);
    const namespace = namespaceForObject(type, this.#context.namespace, object);
    const name = nameOf(type, object);
    return this.#send(type, namespace, name, 'PUT', writeQuery(options, this.#context.defaults), options, {
      body: withTypeMeta(this.#kindOf(type), object),
    });
  }

  async patch(
    name: string,
    patch: MergePatch<T> | StrategicPatch<T> | readonly JsonPatchOperation[],
    options: PatchOptions,
  ): Promise<Served<T>> {
    const type = await this.#context.target.resolve(options.signal);
    checkName(type.kind, name);
    const namespace = namespaceFor(type, this.#context.namespace);
    return this.#send(type, namespace, name, 'PATCH', writeQuery(options, this.#context.defaults), options, {
      body: patch,
      headers: { 'content-type': patchMediaType(patch, options.type) },
    });
  }

  async apply(configuration: ApplyConfiguration<T>, options: ApplyOptions): Promise<Served<T>> {
    const type = await this.#context.target.resolve(options.signal);
    // Only metadata is looked at, and that has the same form with every field optional.
    const object = configuration as KubeObject;
    if ((options.fieldManager ?? this.#context.defaults.fieldManager ?? '') === '') {
      throw new InvalidRequestError(
        `to apply a ${type.kind} needs a fieldManager; set it in the call or for the whole client`,
      );
    }
    if (object.metadata?.managedFields !== undefined) {
      throw new InvalidRequestError(`a ${type.kind} to apply must have no metadata.managedFields`);
    }
    const namespace = namespaceForObject(type, this.#context.namespace, object);
    const name = nameOf(type, object);
    return this.#send(type, namespace, name, 'PATCH', applyQuery(options, this.#context.defaults), options, {
      body: withTypeMeta(this.#kindOf(type), object),
      headers: { 'content-type': APPLY_MEDIA_TYPE },
    });
  }

  async #send(
    type: ResourceType,
    namespace: string | undefined,
    name: string,
    method: ApiRequest['method'],
    query: NonNullable<ApiRequest['query']>,
    options: WriteOptions,
    content: Pick<ApiRequest, 'body' | 'headers'>,
  ): Promise<Served<T>> {
    const path = objectPath(type, namespace, name, this.#subresource);
    const request = { method, path, query, ...content };
    const { body } = await this.#context.caller.call(request, subjectOf(method, type, name), options);
    return asServed<T>(body, type);
  }
}
