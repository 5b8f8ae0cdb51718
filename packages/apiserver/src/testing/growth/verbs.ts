// Every verb on one object of a shape, and what each took.
import { encodeProtobuf, encodeYaml, hasProtobufForm } from '@windlass/apimachinery';
import type { Answer, Call, GrowthServer } from './server.ts';
import type { Json, Shape } from './shapes/shape.ts';

/** The processor time of each verb in milliseconds, by its name. */
export type Times = ReadonlyMap<string, number>;

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
/** A patch may have no more operations. */
const MAX_OPERATIONS = 10_000;
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** The part of the server that a walk needs. */
export type Caller = Pick<GrowthServer, 'call' | 'callWatched'>;

export interface WalkOptions {
  /** @default every verb */
  readonly isWanted?: (verb: string) => boolean;
}

/** Creates, reads, changes and deletes an object of the shape with `count` parts in every way there is. */
export async function walk(
  server: Caller,
  shape: Shape,
  count: number,
  { isWanted = () => true }: WalkOptions = {},
): Promise<Times> {
  const times = new Map<string, number>();
  const object = `${shape.path}/${nameOf(shape.make(1, 0))}`;
  const measure = async (verb: string, make: () => Call, expected: number): Promise<void> => {
    if (!isWanted(verb)) return;
    const call = make();
    if (Buffer.byteLength(call.body ?? '') > MAX_BODY_BYTES) return;
    note(times, verb, shape, await server.call(call), expected);
  };
  const answers = shape.answers ?? 201;
  const isKept = answers === 201;
  const first = shape.make(count, 0);
  const body = JSON.stringify(first);
  const strict = `${shape.path}?dryRun=All&fieldValidation=Strict`;
  const isUnknown = shape.name.includes('unknown fields');
  const post = (path: string, contentType?: string) => (): Call => ({
    method: 'POST',
    path,
    body: contentType === 'application/yaml' ? encodeYaml(first) : body,
    ...(contentType !== undefined && { contentType }),
  });
  await measure('create strict, dry run', post(strict), isUnknown ? 400 : answers);
  await measure('create from YAML, dry run', post(`${shape.path}?dryRun=All`, 'application/yaml'), answers);
  if (!isUnknown && hasProtobufForm(first as { apiVersion: string; kind: string })) {
    await measure(
      'create from protobuf, dry run',
      () => ({
        method: 'POST',
        path: `${shape.path}?dryRun=All`,
        body: encodeProtobuf(first),
        contentType: PROTOBUF,
      }),
      answers,
    );
  }
  const created = await server.call(post(shape.path)());
  note(times, 'create', shape, created, answers);
  if (!isKept) return times;
  await reads(shape, object, measure);
  await writes(server, shape, object, count, measure);
  if (isWanted('watch event')) {
    const body = '{"metadata":{"annotations":{"watched":"yes"}}}';
    const call: Call = { method: 'PATCH', path: object, body, contentType: MERGE_PATCH };
    const watchPath = `${shape.path}?watch=1&resourceVersion=${await resourceVersionOf(server, object)}`;
    note(times, 'watch event', shape, await server.callWatched(call, watchPath), 0);
  }
  const clear = JSON.stringify({ metadata: { finalizers: null } });
  const last = await server.call({ method: 'PATCH', path: object, body: clear, contentType: MERGE_PATCH });
  if (last.status !== 200) throw failure('clear', shape, last, 200);
  await measure('delete, dry run', () => ({ method: 'DELETE', path: `${object}?dryRun=All` }), 200);
  const selector = `fieldSelector=${encodeURIComponent(`metadata.name=${nameOf(first)}`)}`;
  const gone = await server.call({
    method: 'DELETE',
    path: `${shape.path}?${selector}&gracePeriodSeconds=0`,
  });
  note(times, 'deletecollection', shape, gone, 200);
  return times;
}

type Measure = (verb: string, make: () => Call, expected: number) => Promise<void>;

async function reads(shape: Shape, object: string, measure: Measure): Promise<void> {
  const get = (path: string, accept: string) => (): Call => ({ method: 'GET', path, accept });
  for (const [form, accept] of [
    ['JSON', 'application/json'],
    ['YAML', 'application/yaml'],
    ['protobuf', `${PROTOBUF},application/json`],
    ['table', TABLE],
    ['metadata', METADATA],
  ] as const)
    await measure(`get as ${form}`, get(object, accept), 200);
  for (const [form, accept] of [
    ['JSON', 'application/json'],
    ['YAML', 'application/yaml'],
    ['protobuf', `${PROTOBUF},application/json`],
    ['table', TABLE],
    ['metadata', METADATA_LIST],
  ] as const)
    await measure(`list as ${form}`, get(shape.path, accept), 200);
}

async function writes(
  server: Caller,
  shape: Shape,
  object: string,
  count: number,
  measure: Measure,
): Promise<void> {
  const current = async (): Promise<Json> => {
    const { body } = await server.call({ method: 'GET', path: object });
    // Who manages what comes on top of what a client sends; without it nothing changes.
    return withoutManagers(JSON.parse(body.toString()) as Json);
  };
  const changed = (at: number): Json => shape.make(count, at);
  const same = await current();
  await measure('update that changes nothing', () => put(object, same), 200);
  // Many kinds refuse a change of what they hold: that is measured too, as a refusal.
  await measure('update', () => put(object, at(changed(1), same)), 0);
  const patch =
    (contentType: string, value: unknown, query = '') =>
    (): Call => ({
      method: 'PATCH',
      path: `${object}${query}`,
      contentType,
      body: JSON.stringify(value),
    });
  await measure('merge patch', patch(MERGE_PATCH, changed(2)), 0);
  if (shape.isCustom !== true) await measure('strategic patch', patch(STRATEGIC_PATCH, changed(3)), 0);
  await measure('JSON patch that replaces', patch(JSON_PATCH, replaceAll(changed(4))), 0);
  const operations = Math.min(count, MAX_OPERATIONS);
  const label = Array.from({ length: operations }, (_, i) => ({
    op: 'copy',
    from: '/apiVersion',
    path: `/metadata/annotations/c${i}`,
  }));
  const copies = [{ op: 'add', path: '/metadata/annotations', value: {} }, ...label.slice(0, -1)];
  await measure('JSON patch that copies', patch(JSON_PATCH, copies, '?dryRun=All'), 0);
  const force = '?fieldManager=applier&force=true';
  await measure('apply', patch(APPLY_PATCH, withoutManagers(changed(5)), force), 0);
  await measure('apply again', patch(APPLY_PATCH, withoutManagers(changed(5)), force), 0);
  await measure(
    'apply of another manager',
    patch(APPLY_PATCH, withoutManagers(changed(6)), '?fieldManager=other'),
    0,
  );
  await measure('apply of nothing', patch(APPLY_PATCH, identity(changed(5)), force), 0);
  const later = await current();
  const labelled = { ...(later['metadata'] as Json), labels: { a: 'b' } };
  await measure('update of a label', () => put(object, { ...later, metadata: labelled }), 0);
  if (shape.status === true) {
    const last = await current();
    await measure('status update', () => put(`${object}/status`, { ...last, status: { replicas: 1 } }), 0);
    await measure(
      'status patch',
      () => ({
        method: 'PATCH',
        path: `${object}/status`,
        contentType: MERGE_PATCH,
        body: '{"status":{"observedGeneration":2}}',
      }),
      0,
    );
  }
  if (shape.scale === true)
    await measure(
      'scale',
      () => ({
        method: 'PATCH',
        path: `${object}/scale`,
        contentType: MERGE_PATCH,
        body: '{"spec":{"replicas":2}}',
      }),
      0,
    );
}

async function resourceVersionOf(server: Caller, path: string): Promise<string> {
  const accept = METADATA;
  const { body } = await server.call({ method: 'GET', path, accept });
  return String(((JSON.parse(body.toString()) as Json)['metadata'] as Json)['resourceVersion']);
}

function put(path: string, value: Json): Call {
  return { method: 'PUT', path, body: JSON.stringify(value) };
}

/** The object as a change of another: custom resources are not updated without saying of which version. */
function at(value: Json, { metadata: of }: Json): Json {
  const { resourceVersion } = of as Json;
  return { ...value, metadata: { ...(value['metadata'] as Json), resourceVersion } };
}

/** Every field of the object set by an operation of its own. */
function replaceAll(value: Json): unknown[] {
  const operations: unknown[] = [];
  for (const [field, part] of Object.entries(value)) {
    if (field === 'metadata' || field === 'kind' || field === 'apiVersion') continue;
    operations.push({ op: 'add', path: `/${field}`, value: part });
  }
  const [holder, fields] = Object.entries(value).find(([name]) => name === 'data') ?? ['', {}];
  for (const [name, part] of Object.entries(fields as Json).slice(0, MAX_OPERATIONS - 10))
    operations.push({ op: 'replace', path: `/${holder}/${name.replaceAll('/', '~1')}`, value: part });
  return operations;
}

function withoutManagers(value: Json): Json {
  const { managedFields: _, ...metadata } = value['metadata'] as Json;
  return { ...value, metadata };
}

function identity(value: Json): Json {
  const { apiVersion, kind } = value;
  return { apiVersion, kind, metadata: { name: nameOf(value) } };
}

function nameOf(value: Json): string {
  return String((value['metadata'] as Json)['name']);
}

function note(
  times: Map<string, number>,
  verb: string,
  shape: Shape,
  answer: Answer,
  expected: number,
): void {
  // What cannot be applied is, to upstream, its own fault.
  const isTypeProblem =
    verb.startsWith('apply') &&
    /failed to create typed|to smd typed/.test(answer.body.toString('utf8', 0, 400));
  const isFailure = answer.status >= 500 && !isTypeProblem;
  if ((expected !== 0 && answer.status !== expected) || isFailure)
    throw failure(verb, shape, answer, expected);
  times.set(verb, answer.cpuMs);
}

function failure(verb: string, shape: Shape, { status, body }: Answer, expected: number): Error {
  const text = body.toString('utf8', 0, 400);
  return new Error(`${verb} of ${shape.name} answered ${status} and not ${expected || 'below 500'}: ${text}`);
}
