// A history: a few requests about one or two objects, each made of what the server answered before.
import { collectionPath, type FuzzKind, type Json, textIn } from './kinds.ts';
import { Dice, mutate, type Subject } from './mutation.ts';
import { mergePatchBetween } from './patches.ts';

export interface FuzzRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly contentType?: string;
}

/** What a history knows of one server. */
export interface View {
  /** As the server last showed it. */
  object: Json;
  /** As it was when it was made. */
  first: Json;
  continueToken: string;
}

export interface Step {
  readonly name: string;
  readonly build: (view: View) => FuzzRequest;
}

export interface History {
  readonly id: string;
  readonly kind: FuzzKind;
  readonly namespace: string;
  readonly steps: readonly Step[];
}

const JSON_PATCH = 'application/json-patch+json';
const MERGE_PATCH = 'application/merge-patch+json';
const STRATEGIC_PATCH = 'application/strategic-merge-patch+json';
const APPLY_PATCH = 'application/apply-patch+yaml';

/** Fields that an admission plugin fills in which the real server runs without. */
const ACCOUNT_FIELDS = new Set([
  'spec.serviceAccountName',
  'spec.serviceAccount',
  'spec.automountServiceAccountToken',
]);

export function subjectOf({ kind, schema, schemas }: FuzzKind): Subject {
  return {
    schema,
    schemas,
    frozen: (path) =>
      (kind === 'Pod' && ACCOUNT_FIELDS.has(path)) ||
      // Neither server serves it yet, and both drop it.
      path.endsWith('.schedulingGroup') ||
      // Our server works it off at once, as a controller manager does.
      (kind === 'ClusterRole' && path === 'aggregationRule'),
  };
}

export interface HistoryOptions {
  readonly kinds: readonly FuzzKind[];
  readonly seed: number;
  readonly number: number;
  /** Makes the names others, and nothing else. @default none */
  readonly suffix?: string;
  /** Only a create, and that as a dry run: to look at many objects in little time. */
  readonly isShort: boolean;
}

export function makeHistory({ kinds, seed, number, isShort, suffix = '' }: HistoryOptions): History {
  const dice = new Dice(seed * 1_000_003 + number);
  // The first words of neighbouring seeds are alike.
  for (let spent = 0; spent < 4; spent++) dice.next();
  const kind = dice.pick(kinds);
  const id = `d${seed}-${number}${suffix}`;
  const maker = new StepMaker(kind, id, dice);
  const steps = [maker.create(isShort)];
  if (!isShort) for (let more = 3 + dice.int(4); more > 0; more--) steps.push(...maker.next());
  return { id, kind, namespace: kind.namespaced ? id : '', steps };
}

class StepMaker {
  readonly #kind: FuzzKind;
  readonly #id: string;
  readonly #dice: Dice;
  readonly #collection: string;
  readonly #subject: Subject;
  readonly #base: Json;
  readonly #name: string;

  constructor(kind: FuzzKind, id: string, dice: Dice) {
    this.#kind = kind;
    this.#id = id;
    this.#dice = dice;
    this.#collection = collectionPath(kind, id);
    this.#subject = subjectOf(kind);
    const sample = JSON.parse(JSON.stringify(dice.pick(kind.samples)).replaceAll('NAMESPACE', id)) as Json;
    this.#name = kind.kind === 'CSIDriver' ? `${id}.example.com` : id;
    const metadata = { name: this.#name, labels: { history: id } };
    this.#base = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, ...sample };
  }

  get #path(): string {
    return `${this.#collection}/${encodeURIComponent(this.#name)}`;
  }

  /**
   * Whether objects of others are among those that are listed: of other histories at the scope of the
   * cluster, and in every namespace those that our server makes, as a controller manager does.
   */
  get #hasOthers(): boolean {
    return !this.#kind.namespaced || ['ConfigMap', 'ServiceAccount'].includes(this.#kind.kind);
  }

  #seed(): number {
    return this.#dice.int(2 ** 31);
  }

  #write(): Record<string, string> {
    const dice = this.#dice;
    return {
      ...(dice.oneIn(10) && { dryRun: dice.oneIn(6) ? 'Some' : 'All' }),
      ...(dice.oneIn(6) && { fieldManager: dice.pick(['m1', 'm2']) }),
      ...(dice.oneIn(8) && { fieldValidation: dice.pick(['Strict', 'Warn', 'Ignore', 'Bogus']) }),
    };
  }

  create(isDryRun: boolean): Step {
    const dice = this.#dice;
    const isChanged = isDryRun || dice.oneIn(3);
    const object = isChanged ? mutate(this.#base, this.#subject, new Dice(this.#seed())) : this.#base;
    const metadata = { ...(object['metadata'] as Json) };
    if (dice.oneIn(40)) metadata['name'] = dice.pick(['A', 'a..b', '', 'x'.repeat(254), 'a/b']);
    if (dice.oneIn(40)) Object.assign(metadata, { name: undefined, generateName: 'gen-' });
    const query = isDryRun ? { dryRun: 'All' } : this.#write();
    const body = { ...object, metadata };
    return { name: 'create', build: () => ({ method: 'POST', path: this.#collection, query, body }) };
  }

  next(): Step[] {
    const dice = this.#dice;
    const { subresources, isCustom } = this.#kind;
    const own = subresources.length > 0 && dice.oneIn(3) ? dice.pick(subresources) : '';
    if (own !== '') return this.#subresource(own);
    return dice.pick([
      () => [this.#get()],
      () => [this.#list()],
      () => (this.#hasOthers ? [this.#list()] : this.#pages()),
      () => [this.#watch()],
      () => [this.#update('')],
      () => [this.#update('')],
      () => [this.#update('')],
      () => [this.#jsonPatch()],
      () => [this.#mergePatch(MERGE_PATCH, '')],
      () => [this.#mergePatch(isCustom ? MERGE_PATCH : STRATEGIC_PATCH, '')],
      () => [this.#mergePatch(STRATEGIC_PATCH, '')],
      () => [this.#apply()],
      () => this.#applyTwice(),
      () => this.#delete(),
      () => [this.#deleteCollection()],
      () => [this.create(false)],
    ])();
  }

  #get(): Step {
    return { name: 'get', build: () => ({ method: 'GET', path: this.#path }) };
  }

  #list(): Step {
    const dice = this.#dice;
    const labelSelector = this.#kind.namespaced
      ? dice.pick([
          '',
          `history=${this.#id}`,
          'history notin (x)',
          'a in (',
          '!none',
          'A b',
          `history!=${this.#id}`,
        ])
      : `history=${this.#id}`;
    const fieldSelector = dice.pick([
      '',
      '',
      `metadata.name=${this.#name}`,
      'metadata.name!=x',
      'spec.bogus=1',
      'a=',
      'status.phase=Pending',
      'type=Opaque',
      'spec.nodeName=',
    ]);
    const query = {
      ...(labelSelector !== '' && { labelSelector }),
      ...(fieldSelector !== '' && { fieldSelector }),
    };
    return { name: 'list', build: () => ({ method: 'GET', path: this.#collection, query }) };
  }

  /** Two objects, a page each. */
  #pages(): Step[] {
    const second = {
      ...this.#base,
      metadata: { ...(this.#base['metadata'] as Json), name: `b-${this.#name}` },
    };
    const query = { limit: '1', labelSelector: `history=${this.#id}` };
    return [
      { name: 'create', build: () => ({ method: 'POST', path: this.#collection, body: second }) },
      { name: 'list', build: () => ({ method: 'GET', path: this.#collection, query }) },
      {
        name: 'list',
        build: ({ continueToken }) => ({
          method: 'GET',
          path: this.#collection,
          query: { ...query, ...(continueToken !== '' && { continue: continueToken }) },
        }),
      },
    ];
  }

  /** From when the object was made: everything that happened since. */
  #watch(): Step {
    return {
      name: 'watch',
      build: ({ first }) => ({
        method: 'GET',
        path: this.#collection,
        query: {
          watch: 'true',
          timeoutSeconds: '1',
          labelSelector: `history=${this.#id}`,
          resourceVersion: textIn(first['metadata'], 'resourceVersion', '0'),
        },
      }),
    };
  }

  /** Which resourceVersion the client sends: mostly the right one. */
  #versioned(object: Json, first: Json, form: number): Json {
    const metadata = { ...(object['metadata'] as Json) };
    if (form === 0) delete metadata['resourceVersion'];
    if (form === 1)
      metadata['resourceVersion'] = (first['metadata'] as Json | undefined)?.['resourceVersion'];
    return { ...object, metadata };
  }

  #update(subresource: string): Step {
    const seed = this.#seed();
    const form = this.#dice.int(8);
    const query = this.#write();
    const path = subresource === '' ? this.#path : `${this.#path}/${subresource}`;
    const field = subresource === 'status' ? 'status' : undefined;
    return {
      name: subresource === '' ? 'update' : `update ${subresource}`,
      build: ({ object, first }) => {
        const body = mutate(this.#versioned(object, first, form), this.#subject, new Dice(seed), field);
        return { method: 'PUT', path, query, body };
      },
    };
  }

  #mergePatch(contentType: string, subresource: string): Step {
    const seed = this.#seed();
    const query = this.#write();
    const path = subresource === '' ? this.#path : `${this.#path}/${subresource}`;
    const form = contentType === MERGE_PATCH ? 'merge' : 'strategic';
    const field = subresource === 'status' ? 'status' : undefined;
    return {
      name: `patch ${form}${subresource === '' ? '' : ` ${subresource}`}`,
      build: ({ object }) => {
        const body = mergePatchBetween(object, mutate(object, this.#subject, new Dice(seed), field));
        return { method: 'PATCH', path, query, body, contentType };
      },
    };
  }

  #jsonPatch(): Step {
    const dice = this.#dice;
    const query = this.#write();
    const operations = dice.pick([
      [{ op: 'add', path: '/metadata/labels/x', value: 'y' }],
      [{ op: 'remove', path: '/metadata/labels/history' }],
      [{ op: 'remove', path: '/metadata/labels/none' }],
      [{ op: 'replace', path: '/metadata/annotations', value: { a: 'b' } }],
      [
        { op: 'test', path: '/metadata/name', value: this.#name },
        { op: 'add', path: '/metadata/annotations', value: { c: 'd' } },
      ],
      [{ op: 'test', path: '/metadata/name', value: 'other' }],
      [{ op: 'copy', from: '/metadata/name', path: '/metadata/labels/copied' }],
      [{ op: 'move', from: '/metadata/labels', path: '/metadata/annotations' }],
      [{ op: 'bogus', path: '/' }],
      [{ op: 'add', path: '/metadata/name', value: 'other' }],
      [{ op: 'replace', path: '/spec', value: {} }],
      [{ op: 'add', path: '/spec/bogus', value: 1 }],
      [{ op: 'add', path: '/metadata/finalizers', value: ['example.com/x'] }],
      {},
    ]);
    return {
      name: 'patch json',
      build: () => ({ method: 'PATCH', path: this.#path, query, body: operations, contentType: JSON_PATCH }),
    };
  }

  #apply(): Step {
    const dice = this.#dice;
    const seed = this.#seed();
    const query = {
      ...(!dice.oneIn(20) && { fieldManager: dice.pick(['m1', 'm2', 'm3']) }),
      ...(dice.oneIn(2) && { force: 'true' }),
      ...(dice.oneIn(10) && { dryRun: 'All' }),
    };
    const body = dice.oneIn(3) ? this.#base : mutate(this.#base, this.#subject, new Dice(seed));
    return {
      name: 'apply',
      build: () => ({ method: 'PATCH', path: this.#path, query, body, contentType: APPLY_PATCH }),
    };
  }

  /** The second time nothing is left to change, however the server writes what it was sent. */
  #applyTwice(): Step[] {
    const step = this.#apply();
    return [step, { ...step, name: 'apply again' }];
  }

  #deleteOptions(): (view: View) => Json | undefined {
    const dice = this.#dice;
    const form = dice.int(8);
    const propagationPolicy = dice.pick(['Background', 'Foreground', 'Orphan', 'Bogus']);
    const gracePeriodSeconds = dice.int(2) * 10;
    const options = { apiVersion: 'v1', kind: 'DeleteOptions' };
    return ({ object }) => {
      const { uid, resourceVersion } = (object['metadata'] ?? {}) as Json;
      switch (form) {
        case 0:
          return { ...options, propagationPolicy };
        case 1:
          return { ...options, preconditions: { uid } };
        case 2:
          return { ...options, preconditions: { uid: 'other' } };
        case 3:
          return { ...options, preconditions: { resourceVersion } };
        case 4:
          return { ...options, gracePeriodSeconds };
        case 5:
          return { ...options, dryRun: ['All'] };
        default:
          return undefined;
      }
    };
  }

  #delete(): Step[] {
    const options = this.#deleteOptions();
    return [
      {
        name: 'delete',
        build: (view) => {
          const body = options(view);
          return { method: 'DELETE', path: this.#path, ...(body !== undefined && { body }) };
        },
      },
      this.#get(),
    ];
  }

  #deleteCollection(): Step {
    const query = { labelSelector: `history=${this.#id}` };
    return { name: 'deletecollection', build: () => ({ method: 'DELETE', path: this.#collection, query }) };
  }

  #subresource(name: string): Step[] {
    const dice = this.#dice;
    const path = `${this.#path}/${name}`;
    const expirationSeconds = dice.pick([3600, 1, 2 ** 33]);
    const finalized = dice.pick([
      {},
      { finalizers: ['kubernetes', 'example.com/a'] },
      { finalizers: ['a b'] },
    ]);
    const post = (body: Json): Step[] => [
      { name, build: () => ({ method: 'POST', path, body }) },
      this.#get(),
    ];
    switch (name) {
      case 'scale':
        return this.#scale(path);
      case 'eviction':
        return post({
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: dice.oneIn(5) ? 'other' : this.#name },
        });
      case 'binding':
        return post({
          apiVersion: 'v1',
          kind: 'Binding',
          metadata: { name: this.#name },
          target: dice.pick([
            { kind: 'Node', name: 'n' },
            { name: 'n' },
            { kind: 'Pod', name: 'n' },
            { kind: 'Node', name: '' },
          ]),
        });
      case 'token':
        return [
          {
            name,
            build: () => ({
              method: 'POST',
              path,
              body: {
                apiVersion: 'authentication.k8s.io/v1',
                kind: 'TokenRequest',
                spec: { audiences: ['a'], expirationSeconds },
              },
            }),
          },
        ];
      case 'finalize':
        return [
          {
            name,
            build: ({ object }) => ({
              method: 'PUT',
              path,
              body: {
                ...object,
                spec: finalized,
              },
            }),
          },
        ];
      default:
        return [
          dice.oneIn(4)
            ? { name: `get ${name}`, build: () => ({ method: 'GET', path }) }
            : dice.oneIn(2)
              ? this.#update(name)
              : this.#mergePatch(dice.oneIn(2) ? MERGE_PATCH : STRATEGIC_PATCH, name),
        ];
    }
  }

  #scale(path: string): Step[] {
    const dice = this.#dice;
    const replicas = dice.pick([0, 1, 5, -1]);
    const query = this.#write();
    const scale = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: this.#name },
      spec: { replicas },
    };
    const step = dice.pick<Step>([
      { name: 'get scale', build: () => ({ method: 'GET', path }) },
      { name: 'update scale', build: () => ({ method: 'PUT', path, query, body: scale }) },
      {
        name: 'patch merge scale',
        build: () => ({
          method: 'PATCH',
          path,
          query,
          contentType: MERGE_PATCH,
          body: { spec: { replicas } },
        }),
      },
      {
        name: 'apply scale',
        build: () => ({
          method: 'PATCH',
          path,
          query: { fieldManager: 'm1', force: 'true' },
          contentType: APPLY_PATCH,
          body: scale,
        }),
      },
    ]);
    return [step, this.#get()];
  }
}
