// One object on the server, and our server-side apply beside it: each step goes to both.
import assert from 'node:assert/strict';
import {
  excludeFields,
  type FieldFilter,
  FieldManager,
  type FieldManagerOptions,
  FieldSet,
  keepTimestamps,
  pathOf,
  type Schema,
  type SchemaSource,
  TypeCompiler,
  toStatus,
} from '@windlass/apimachinery';
import { type Endpoint, MAIN, type Step } from './apply-arbitraries.ts';
import type { Answer, JsonApi, JsonBody } from './json-api.ts';

export interface ModelKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** All have the same schema. */
  readonly versions: readonly string[];
  readonly schema: Schema;
  readonly source: SchemaSource;
  /** Custom resources have only the defaults of their schema. */
  readonly custom: boolean;
  readonly applyDefaults?: FieldManagerOptions['applyDefaults'];
  /** Whether admission or the registry sets fields of a new object that then nobody owns. */
  readonly completed?: boolean;
}

function apiVersionIn({ group }: ModelKind, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** The time of all owners before a step that says so: whether it then keeps or renews them shows. */
const LONG_AGO = '2001-02-03T04:05:06Z';
const AGED = 'windlass.test/aged';

const compilers = new WeakMap<SchemaSource, TypeCompiler>();

/** Our field manager for one endpoint of a kind. */
export function managerFor(model: ModelKind, { version, subresource }: Endpoint): FieldManager {
  const { group, kind, schema, source, applyDefaults } = model;
  const types = compilers.get(source) ?? new TypeCompiler(source);
  compilers.set(source, types);
  const reset = subresource === '' ? [pathOf('status')] : [pathOf('metadata'), pathOf('spec')];
  const filter: FieldFilter = excludeFields(FieldSet.of(...reset));
  return new FieldManager({
    types,
    kind: { group, version, kind },
    schema,
    subresource,
    filters: new Map(model.versions.map((other) => [apiVersionIn(model, other), filter])),
    versions: { convert: (object, apiVersion) => ({ ...object, apiVersion }), schemaOf: () => schema },
    ...(applyDefaults === undefined ? {} : { applyDefaults }),
  });
}

export class ApplyModel {
  readonly #api: JsonApi;
  readonly #kind: ModelKind;
  readonly #name: string;
  readonly #managers = new Map<string, FieldManager>();
  /** How often each operation was answered with each status. */
  readonly outcomes = new Map<string, number>();
  #live: JsonBody | undefined;

  constructor(api: JsonApi, kind: ModelKind, name: string) {
    this.#api = api;
    this.#kind = kind;
    this.#name = name;
  }

  get live(): JsonBody | undefined {
    return this.#live;
  }

  async step(step: Step): Promise<number> {
    if (step.aged === true) await this.#age();
    const status = await this.#step(step);
    const outcome = `${step.op} ${status}`;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    return status;
  }

  #step(step: Step): Promise<number> {
    switch (step.op) {
      case 'apply':
        return this.#apply(step.at, step.manager, this.#addressed(step.config, step.at), step.force);
      case 'put':
        return this.#put(step.at, step.manager, this.#addressed(step.object, step.at));
      case 'merge':
        return this.#merge(step.at, step.manager, { ...step.patch, apiVersion: undefined, kind: undefined });
    }
  }

  /** Times alone cannot be written, so an annotation goes with them. */
  async #age(): Promise<void> {
    const live = this.#liveIn(MAIN);
    const metadata = (live?.['metadata'] ?? {}) as Metadata;
    if (live === undefined || metadata.managedFields === undefined) return;
    const managedFields = metadata.managedFields.map((entry) =>
      entry['time'] === undefined ? entry : { ...entry, time: LONG_AGO },
    );
    const annotations = { ...metadata.annotations, [AGED]: metadata.resourceVersion };
    const object = { ...live, metadata: { ...metadata, annotations, managedFields } };
    const answer = await this.#api.put(this.#path(MAIN), object, { query: { fieldManager: 'ager' } });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    this.#written(MAIN, answer, 'ager', managedFields);
  }

  #collection({ version }: Endpoint): string {
    const apiVersion = apiVersionIn(this.#kind, version);
    return `/${this.#kind.group === '' ? 'api' : 'apis'}/${apiVersion}/namespaces/default/${this.#kind.plural}`;
  }

  #path(at: Endpoint): string {
    const tail = at.subresource === '' ? '' : `/${at.subresource}`;
    return `${this.#collection(at)}/${this.#name}${tail}`;
  }

  #addressed(object: JsonBody, at: Endpoint): JsonBody {
    const metadata = { ...(object['metadata'] as object | undefined), name: this.#name };
    return { ...object, apiVersion: apiVersionIn(this.#kind, at.version), metadata };
  }

  #manager(at: Endpoint): FieldManager {
    const key = JSON.stringify(at);
    const manager = this.#managers.get(key) ?? managerFor(this.#kind, at);
    this.#managers.set(key, manager);
    return manager;
  }

  #liveIn(at: Endpoint): JsonBody | undefined {
    return this.#live && { ...this.#live, apiVersion: apiVersionIn(this.#kind, at.version) };
  }

  async #apply(at: Endpoint, manager: string, config: JsonBody, force: boolean): Promise<number> {
    const query = { fieldManager: manager, force: String(force) };
    const theirs = await this.#api.patch('apply', this.#path(at), config, { query });
    if (theirs.status === 404) return 404;
    let ours: JsonBody;
    try {
      ours = this.#manager(at).apply<JsonBody>({ live: this.#liveIn(at), applied: config, manager, force });
    } catch (error) {
      const status = toStatus(error);
      assert.deepEqual([status.code, refusal(status)], [theirs.status, refusal(theirs.body)]);
      return theirs.status;
    }
    if (!this.#kind.custom) await this.#sameAfterDefaults(at, ours, theirs);
    else if (theirs.status < 300) this.#sameContent(at, ours, theirs.body);
    // What the merge gave is not valid; a custom resource's validation is not ours.
    else assert.equal(theirs.body['reason'], 'Invalid', JSON.stringify(theirs.body));
    if (theirs.status >= 300) return theirs.status;
    this.#sameOwners(at, ours, theirs.body);
    this.#live = theirs.body;
    return theirs.status;
  }

  /** The server sets defaults on what it merged, and validates it; so it does with what we merged. */
  async #sameAfterDefaults(at: Endpoint, ours: JsonBody, theirs: Answer): Promise<void> {
    // After a success, what is there is what they merged: its version must be that of ours, too.
    const stored = theirs.status < 300 ? theirs.body : this.#live;
    const { resourceVersion } = (stored?.['metadata'] ?? {}) as JsonBody;
    const { managedFields: _, ...metadata } = ours['metadata'] as JsonBody;
    const object = { ...ours, metadata: { ...metadata, resourceVersion } };
    const query = { dryRun: 'All' };
    const answer =
      stored === undefined
        ? await this.#api.post(this.#collection(at), object, { query })
        : await this.#api.put(this.#path(at), object, { query });
    // A write that is refused for its content is refused with the same words.
    if (theirs.status >= 300) assert.deepEqual(answer.body['message'], theirs.body['message']);
    else this.#sameContent(at, answer.body, theirs.body);
  }

  async #put(at: Endpoint, manager: string, object: JsonBody): Promise<number> {
    const query = { fieldManager: manager };
    if (this.#live === undefined) {
      if (at.subresource !== '') return 404;
      return this.#written(at, await this.#api.post(this.#collection(at), object, { query }), manager);
    }
    const { resourceVersion } = this.#live['metadata'] as { resourceVersion: string };
    const metadata = { ...(object['metadata'] as object), resourceVersion };
    return this.#written(
      at,
      await this.#api.put(this.#path(at), { ...object, metadata }, { query }),
      manager,
    );
  }

  async #merge(at: Endpoint, manager: string, patch: JsonBody): Promise<number> {
    const query = { fieldManager: manager };
    const answer = await this.#api.patch('merge', this.#path(at), patch, { query });
    return this.#live === undefined ? answer.status : this.#written(at, answer, manager);
  }

  /** `sent`: the managed fields that were in the request. */
  #written(at: Endpoint, { status, body }: Answer, manager: string, sent?: readonly JsonBody[]): number {
    if (status >= 300) return status;
    if (this.#live === undefined && this.#kind.completed === true) {
      this.#live = body;
      return status;
    }
    const { managedFields: _, ...metadata } = body['metadata'] as JsonBody;
    const updated: JsonBody = { ...body, metadata: { ...metadata, ...(sent && { managedFields: sent }) } };
    const result = this.#manager(at).update<JsonBody>({ live: this.#liveIn(at), updated, manager });
    assert.equal(result.problem, undefined);
    this.#sameOwners(at, result.object, body);
    this.#live = body;
    return status;
  }

  /** An endpoint persists only its part of an object. */
  #sameContent({ subresource }: Endpoint, ours: JsonBody, theirs: JsonBody): void {
    if (subresource !== '') assert.deepEqual(ours[subresource] ?? null, theirs[subresource] ?? null);
    else assert.deepEqual(content(ours), content(theirs));
  }

  /**
   * What both say is the same but for the owners. So theirs with our owners is what our server would store, and
   * a write that changes nothing keeps the times that were there.
   */
  #sameOwners(at: Endpoint, ours: JsonBody, theirs: JsonBody): void {
    const live = this.#liveIn(at);
    const { managedFields } = ours['metadata'] as Metadata;
    const { resourceVersion } = (live?.['metadata'] ?? {}) as Metadata;
    const metadata = { ...(theirs['metadata'] as Metadata), resourceVersion, managedFields };
    const written: JsonBody = { ...theirs, metadata };
    const stored = live === undefined ? written : keepTimestamps(live, written);
    assert.deepEqual(owners(stored, this.#kind.custom), owners(theirs, this.#kind.custom));
  }
}

/** What the object says, without what the server sets and without its status. */
function content(object: JsonBody): unknown {
  const spec = object['spec'] as { embedded?: JsonBody | null } | null | undefined;
  const embedded = spec?.embedded?.['metadata'] === undefined ? undefined : spec.embedded;
  return {
    ...object,
    metadata: metadataOf(object),
    ...(embedded && { spec: { ...spec, embedded: { ...embedded, metadata: metadataOf(embedded) } } }),
    status: undefined,
  };
}

/** Metadata is typed even on custom resources, and on what is embedded in them: what is empty is not there. */
function metadataOf(object: JsonBody): object {
  const own = new Set(['name', 'labels', 'annotations', 'finalizers', 'ownerReferences']);
  const entries = Object.entries((object['metadata'] ?? {}) as JsonBody);
  return Object.fromEntries(
    entries.filter(([key, value]) => own.has(key) && Object.keys(value ?? {}).length > 0),
  );
}

interface Metadata {
  readonly annotations?: JsonBody;
  readonly managedFields?: readonly JsonBody[];
  readonly resourceVersion?: string;
}

/**
 * Who owns what, since when, and in which order. Of times only those of long ago can be compared. Those of now,
 * and so the order of the owners that have them, depend on the second in which each was written.
 */
function owners(object: JsonBody, custom: boolean): unknown {
  const { managedFields = [] } = object['metadata'] as Metadata;
  const entries = managedFields.map(({ time, ...entry }) => ({
    ...entry,
    since: time === undefined ? 'never' : time === LONG_AGO ? 'long ago' : 'now',
    // Custom resources are served with all keys in alphabetical order.
    text: custom ? '' : JSON.stringify(entry['fieldsV1']),
  }));
  const identity = ({ manager, operation, apiVersion, subresource }: JsonBody): string =>
    JSON.stringify([operation, manager, apiVersion, subresource]);
  const inOrder = entries.filter(({ since }) => since !== 'now');
  const byName = entries.filter(({ since }) => since === 'now');
  byName.sort((a: JsonBody, b: JsonBody) => (identity(a) < identity(b) ? -1 : 1));
  return { inOrder, byName, since: entries.map(({ since }) => since) };
}

/** Conflicts with several managers come in any order. */
function refusal(status: object): unknown {
  const {
    message = '',
    reason,
    details,
  } = status as { message?: string; reason?: string; details?: { causes?: object[] } };
  const causes = (details?.causes ?? []).map((cause) => JSON.stringify(cause)).sort();
  return { message, reason, causes };
}
