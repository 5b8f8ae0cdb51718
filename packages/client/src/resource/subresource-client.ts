import type { JsonPatchOperation, KubeObject, ResourceType, Served } from '@windlass/apimachinery';
import { asObject, asServed } from './answers.ts';
import { checkName, namespaceFor } from './checks.ts';
import { ObjectWriter } from './object-writer.ts';
import type { ApplyOptions, GetOptions, WriteOptions } from './options.ts';
import type { ApplyConfiguration, MergePatch, PatchOptions, StrategicPatch } from './patch.ts';
import { getQuery, writeQuery } from './query.ts';
import { objectPath } from './resource-path.ts';
import { type ResourceContext, subjectOf } from './resource-reader.ts';

/** Subresources that answer an object with a name. Others may answer anything. */
const OBJECTS: ReadonlySet<string> = new Set(['status', 'scale']);

/** A part of an object that has its own path, such as `status` and `scale`. */
export class SubresourceClient<S extends KubeObject> {
  protected readonly context: ResourceContext;
  readonly #name: string;
  readonly #writer: ObjectWriter<S>;

  /** @param kind what the subresource speaks, when it is not the resource's own kind */
  constructor(
    context: ResourceContext,
    name: string,
    kind?: Pick<ResourceType, 'group' | 'version' | 'kind'>,
  ) {
    this.context = context;
    this.#name = name;
    this.#writer = new ObjectWriter(context, name, (type) =>
      kind === undefined ? type : { ...type, ...kind },
    );
  }

  /** Some subresources answer another form than they take: name it as `R`. */
  async get<R = Served<S>>(name: string, options: GetOptions = {}): Promise<R> {
    const { caller, target, namespace } = this.context;
    const type = await target.resolve(options.signal);
    checkName(type.kind, name);
    const query = getQuery(options);
    const path = objectPath(type, namespaceFor(type, namespace), name, this.#name);
    const request = { method: 'GET' as const, path, ...(query === undefined ? {} : { query }) };
    const { body } = await caller.call(request, subjectOf('GET', type, name), options);
    // Which kind of object it is, the path decided.
    return (OBJECTS.has(this.#name) ? asServed(body, type) : asObject(body, type)) as R;
  }

  /** Posts to it, as `eviction`, `binding` and `token` want it. */
  async create<R = S>(name: string, object: S, options: WriteOptions = {}): Promise<R> {
    const { caller, target, namespace, defaults } = this.context;
    const type = await target.resolve(options.signal);
    checkName(type.kind, name);
    const path = objectPath(type, namespaceFor(type, namespace), name, this.#name);
    const request = { method: 'POST' as const, path, query: writeQuery(options, defaults), body: object };
    const { body } = await caller.call(request, subjectOf('POST', type, name), options);
    // Which kind of object it is, the path decided.
    return asObject(body, type) as R;
  }

  replace(object: S, options: WriteOptions = {}): Promise<Served<S>> {
    return this.#writer.replace(object, options);
  }

  patch(
    name: string,
    patch: MergePatch<S> | StrategicPatch<S> | readonly JsonPatchOperation[],
    options: PatchOptions = {},
  ): Promise<Served<S>> {
    return this.#writer.patch(name, patch, options);
  }

  apply(configuration: ApplyConfiguration<S>, options: ApplyOptions = {}): Promise<Served<S>> {
    return this.#writer.apply(configuration, options);
  }
}
