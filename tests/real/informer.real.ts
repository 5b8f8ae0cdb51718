// Informers over 20,000 objects of a real API server that is killed, restarted and made to forget, while
// the objects change. On a cluster of its own. ConfigMaps have no watch cache there, so they are streamed
// and their watches resume; Secrets have one, which with this etcd refuses to stream.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  type DeepReadonly,
  deepEqual,
  isNotFound,
  type KubeObject,
  keyOf,
  type ResourceType,
} from '@windlass/apimachinery';
import { ConfigMap, Secret } from '@windlass/apimachinery/api/core/v1';
import { SeededRandom } from '@windlass/base';
import { testSeed } from '@windlass/base/testing';
import { until } from '@windlass/base/testing/until';
import { type Client, createClient, loadConfig, TransportError } from '@windlass/client';
import {
  clientListWatch,
  type DeleteInfo,
  type EventHandler,
  type Report,
  SharedInformer,
} from '@windlass/informer';
import { type RealCluster, startRealCluster } from './harness/index.ts';
import { deleteObjects, putObjects } from './support/etcd-keys.ts';

const NAMESPACE = 'default';
const SEED = testSeed();
const random = new SeededRandom(SEED);
const OBJECTS_EACH = 10_000;
const DELETED_BEHIND = 500;
const CHURNERS_EACH = 6;
/** Changes of each kind between two events of a test. */
const CHANGES = 300;
const CATCH_UP_MS = 60_000;

/** What a handler knows from nothing but what it was told, and how often it was told of whom. */
class Mirror implements EventHandler<KubeObject> {
  readonly objects = new Map<string, DeepReadonly<KubeObject>>();
  readonly added = new Map<string, number>();
  readonly deleted = new Map<string, number>();
  tombstones = 0;

  onAdd(object: DeepReadonly<KubeObject>): void {
    const uid = uidOf(object);
    assert.ok(!this.objects.has(keyOf(object)), `${keyOf(object)} is added while it is there`);
    this.objects.set(keyOf(object), object);
    this.added.set(uid, (this.added.get(uid) ?? 0) + 1);
  }

  onUpdate(old: DeepReadonly<KubeObject>, now: DeepReadonly<KubeObject>): void {
    assert.equal(this.objects.get(keyOf(now)), old, `${keyOf(now)} is updated from another state`);
    this.objects.set(keyOf(now), now);
  }

  onDelete(object: DeepReadonly<KubeObject>, { isFinalStateUnknown }: DeleteInfo): void {
    const uid = uidOf(object);
    assert.equal(uidOf(this.objects.get(keyOf(object))), uid, `${keyOf(object)} is deleted but not there`);
    this.objects.delete(keyOf(object));
    this.deleted.set(uid, (this.deleted.get(uid) ?? 0) + 1);
    if (isFinalStateUnknown) this.tombstones++;
  }
}

/** The same, told one at a time with a turn between: its notifications wait and are merged. */
function slow(mirror: Mirror): EventHandler<KubeObject> {
  const later = (tell: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      setImmediate(() => {
        try {
          tell();
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  return {
    onAdd: (object) => later(() => mirror.onAdd(object)),
    // What came between was merged away.
    onUpdate: (_old, now) => later(() => void mirror.objects.set(keyOf(now), now)),
    onDelete: (object, info) => later(() => mirror.onDelete(object, info)),
  };
}

const uidOf = (object: DeepReadonly<KubeObject> | undefined): string => object?.metadata?.uid ?? '';

/** One kind: its informer, what handlers heard, and who changes its objects. */
class Subject {
  readonly type: ResourceType<KubeObject>;
  readonly informer: SharedInformer<KubeObject>;
  readonly mirror = new Mirror();
  readonly slowMirror = new Mirror();
  readonly reports: Report[] = [];
  readonly errors: unknown[] = [];
  readonly #client: Client;
  /** Whom nobody touches but the one who deletes behind the server's back. */
  readonly reserved: readonly KubeObject[];
  readonly seeds: readonly KubeObject[];
  #made = 0;

  constructor(type: ResourceType<KubeObject>, client: Client) {
    this.type = type;
    this.#client = client;
    this.seeds = Array.from({ length: OBJECTS_EACH }, (_, index) => seed(type, `seed-${index}`));
    this.reserved = this.seeds.slice(0, DELETED_BEHIND);
    this.informer = new SharedInformer<KubeObject>({
      listWatch: clientListWatch(client.resource(type)),
      resource: type,
      onReport: (report) => this.reports.push(report),
      logger: {
        ...silent,
        error: (message, fields) => this.errors.push(`${message} ${JSON.stringify(fields)}`),
      },
      freeze: true,
    });
    this.informer.addHandler(this.mirror);
    this.informer.addHandler(slow(this.slowMirror), { maxBuffered: 100 });
  }

  get objects() {
    return this.#client.resource(this.type).namespace(NAMESPACE);
  }

  /** One random change. What somebody else has deleted before is no failure. */
  async change(): Promise<void> {
    const choice = random.next();
    const name = `seed-${DELETED_BEHIND + random.int(OBJECTS_EACH - DELETED_BEHIND)}`;
    try {
      if (choice < 0.3) await this.objects.create(seed(this.type, `made-${++this.#made}`));
      else if (choice < 0.6) await this.objects.delete(name);
      else if (choice < 0.7) await this.objects.delete(`made-${Math.ceil(random.next() * this.#made)}`);
      else await this.objects.patch(name, { metadata: { annotations: { at: randomUUID() } } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Writes something and waits until the cache has it; then it has all that came before. */
  async catchUp(): Promise<void> {
    const marker = await this.objects.create(seed(this.type, `marker-${randomUUID()}`));
    await this.informer.waitForVersion(marker.metadata.resourceVersion, { timeoutMs: CATCH_UP_MS });
  }

  /** The cache is the server's list, and handlers have heard of everything that is in it or has gone. */
  async check(): Promise<void> {
    await this.catchUp();
    const { items } = await this.#client.resource(this.type).list();
    for (const item of items) Object.assign(item, { apiVersion: 'v1', kind: this.type.kind });
    const server = new Map(items.map((item) => [keyOf(item), item]));
    const cached = new Map(this.informer.indexer.list().map((object) => [keyOf(object), object]));
    assert.deepEqual(differences(server, cached), [], `the cache of ${this.type.plural} is not the server's`);
    assert.deepEqual(differences(cached, this.mirror.objects), []);
    const alive = new Set(items.map(uidOf));
    for (const [uid, count] of this.mirror.added) {
      assert.equal(count, 1, `${uid} was added ${count} times`);
      assert.equal(this.mirror.deleted.get(uid) ?? 0, alive.has(uid) ? 0 : 1, `deletions told of ${uid}`);
    }
    await until(
      'the slow mirror catches up',
      () => differences(cached, this.slowMirror.objects).length === 0,
    );
    for (const uid of this.slowMirror.added.keys())
      assert.equal(this.slowMirror.deleted.get(uid) ?? 0, alive.has(uid) ? 0 : 1, `the slow one, of ${uid}`);
    assert.deepEqual(this.errors, []);
  }
}

const silent = {
  debugEnabled: false,
  debug() {},
  info() {},
  warn() {},
  error() {},
  with() {
    return this;
  },
};

function seed({ kind, plural }: ResourceType<KubeObject>, name: string): KubeObject {
  const text = `${plural} ${name} `.padEnd(700, 'data of about the size that objects have ');
  return {
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: randomUUID(),
      creationTimestamp: '2026-11-01T12:00:00Z',
      labels: { app: `app-${name.length % 7}` },
    },
    ...(kind === 'Secret'
      ? { type: 'Opaque', data: { text: Buffer.from(text).toString('base64') } }
      : { data: { text } }),
  };
}

/** The keys under which the two do not hold the same; at most ten, for a message that can be read. */
function differences(
  a: ReadonlyMap<string, DeepReadonly<KubeObject>>,
  b: ReadonlyMap<string, DeepReadonly<KubeObject>>,
): string[] {
  const keys = new Set([...a.keys(), ...b.keys()]);
  return [...keys].filter((key) => !deepEqual(a.get(key), b.get(key))).slice(0, 10);
}

/** Changes objects all the time; while the server is away, waits until it is back. */
class Churn {
  readonly #subjects: readonly Subject[];
  #isOver = false;
  #changes = 0;
  #back = Promise.withResolvers<void>();
  readonly #running: Promise<unknown>;

  constructor(subjects: readonly Subject[]) {
    this.#subjects = subjects;
    this.#back.resolve();
    const churners = subjects.flatMap((subject) => Array.from({ length: CHURNERS_EACH }, () => subject));
    this.#running = Promise.all(churners.map((subject) => this.#churn(subject)));
  }

  async moreChanges(): Promise<void> {
    const goal = this.#changes + CHANGES * this.#subjects.length;
    await Promise.race([until('enough changes', () => this.#changes >= goal), this.#running]);
  }

  serverGoes(): void {
    this.#back = Promise.withResolvers<void>();
  }

  serverIsBack(): void {
    this.#back.resolve();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #churn(subject: Subject): Promise<void> {
    while (!this.#isOver) {
      try {
        await subject.change();
        this.#changes++;
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        await this.#back.promise;
      }
    }
  }
}

let cluster: RealCluster;
let client: Client;
let configMaps: Subject;
let secrets: Subject;

before(async () => {
  cluster = await startRealCluster();
  client = createClient({ config: await loadConfig({ path: cluster.kubeconfigPath }) });
  [configMaps, secrets] = [new Subject(ConfigMap, client), new Subject(Secret, client)];
  for (const { type, seeds } of [configMaps, secrets]) await putObjects(cluster.etcdUrl, type.plural, seeds);
});

after(async () => {
  await Promise.all([configMaps, secrets].map(({ informer }) => informer.stop()));
  await client.close();
  await cluster.stop();
});

test('20,000 objects are there at once, streamed where the server streams', async () => {
  for (const { informer } of [configMaps, secrets]) informer.start();
  await Promise.all([configMaps, secrets].map(({ informer }) => informer.synced()));
  for (const { informer, type } of [configMaps, secrets])
    assert.ok(informer.indexer.size >= OBJECTS_EACH, `${type.plural}: ${informer.indexer.size}`);
  assert.deepEqual(configMaps.reports, []);
  assert.deepEqual(
    secrets.reports.map(({ what }) => what),
    ['stream-failed'],
  );
});

test(`the API server is killed amid changes (WINDLASS_SEED=${SEED}) and comes back: nothing is missed, watches resume`, async () => {
  const churn = new Churn([configMaps, secrets]);
  await churn.moreChanges();
  churn.serverGoes();
  await cluster.killApiServer();
  await cluster.restartApiServer();
  churn.serverIsBack();
  await churn.moreChanges();
  await churn.stop();
  for (const subject of [configMaps, secrets]) {
    await subject.check();
    assert.ok(
      subject.reports.some(({ what }) => what === 'reopen'),
      'the loss of the watch is reported',
    );
  }
  // etcd has the history that the dead server had.
  assert.ok(!configMaps.reports.some(({ what }) => what === 'relist'));
});

test('what was deleted and forgotten while it was away is told as deleted', async () => {
  await cluster.killApiServer();
  for (const { type, reserved } of [configMaps, secrets]) {
    await deleteObjects(cluster.etcdUrl, type.plural, reserved);
    await putObjects(cluster.etcdUrl, type.plural, [seed(type, 'behind')]);
  }
  await cluster.compactEtcd();
  await cluster.restartApiServer();
  for (const subject of [configMaps, secrets]) {
    await subject.check();
    assert.ok(
      subject.reports.some((report) => report.what === 'relist' && report.reason === 'expired'),
      `${subject.type.plural}: ${subject.reports.map((report) => JSON.stringify(report)).join('\n')}`,
    );
    assert.ok(subject.mirror.tombstones >= DELETED_BEHIND, `${subject.mirror.tombstones} tombstones`);
    assert.ok(subject.informer.indexer.has(`${NAMESPACE}/behind`));
  }
});
