import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newConflict, newNotFound, type Served } from '@windlass/apimachinery';
import { FakeClock, nextTurn, noMetrics, SeededRandom } from '@windlass/base';
import { release, reserve } from '../accounting/index.ts';
import { type DirectPVDrive, volumesOfDrive } from '../resources/index.ts';
import { servedDrive } from '../testing/index.ts';
import { DriveLedger } from './drive-ledger.ts';
import { controllerMetrics } from './metrics.ts';

const RESOURCE = { group: 'directpv.min.io', resource: 'directpvdrives' };
const AT = '2026-01-01T00:00:00Z';

/** One drive on a server, and a ledger that knows it. */
function start() {
  const clock = new FakeClock();
  let stored: Served<DirectPVDrive> | undefined;
  let writes = 0;
  const store = (drive: Served<DirectPVDrive>): Served<DirectPVDrive> => {
    stored = { ...drive, metadata: { ...drive.metadata, uid: 'u', resourceVersion: String(++writes) } };
    return stored;
  };
  const server = {
    /** Called before a write arrives. */
    before: (): void => {},
    get drive(): Served<DirectPVDrive> {
      assert.ok(stored !== undefined);
      return stored;
    },
    store,
    remove: (): void => {
      stored = undefined;
    },
    reads: 0,
  };
  const drives = {
    get: async (name: string) => {
      server.reads++;
      if (stored === undefined) throw newNotFound(RESOURCE, name);
      return stored;
    },
    replace: async (drive: Served<DirectPVDrive>) => {
      server.before();
      const { name } = drive.metadata;
      if (stored === undefined) throw newNotFound(RESOURCE, name);
      if (stored.metadata.resourceVersion !== drive.metadata.resourceVersion)
        throw newConflict(RESOURCE, name);
      return store(drive);
    },
  };
  const ledger = new DriveLedger({
    drives,
    recorded: () => () => undefined,
    clock,
    random: new SeededRandom(1),
    metrics: controllerMetrics(noMetrics),
  });
  ledger.observe(store(servedDrive({ fsuuid: 'd', totalCapacity: 100, volumes: { old: 50 } })));
  const take = (volume: string, bytes: number) =>
    ledger.change('d', { apply: (drive) => reserve(drive, { volume, bytes, at: AT }), withhold: bytes });
  /** Whoever pauses goes on at once. */
  const hurry = async <T>(work: Promise<T>): Promise<T> => {
    const done = work.then(
      () => true,
      () => true,
    );
    while (!(await Promise.race([done, nextTurn().then(() => false)]))) await clock.advance(100);
    return work;
  };
  return { server, ledger, take, hurry };
}

describe('a drive ledger', () => {
  it('writes changes that wait for each other together', async () => {
    const { server, take } = start();
    await Promise.all([take('a', 10), take('b', 10), take('c', 10)]);
    assert.deepEqual(volumesOfDrive(server.drive), ['old', 'a', 'b', 'c']);
    assert.equal(server.drive.metadata.resourceVersion, '3');
  });

  it('makes a change again on what somebody else wrote', async () => {
    const { server, take } = start();
    server.before = () => {
      server.before = () => {};
      server.store({ ...server.drive, spec: { unschedulable: true } });
    };
    await take('a', 10);
    assert.deepEqual(volumesOfDrive(server.drive), ['old', 'a']);
    assert.equal(server.drive.spec?.unschedulable, true);
  });

  it('does not refuse before it has seen the newest state', async () => {
    const { server, take } = start();
    server.store(release(server.drive, { volume: 'old', bytes: 50 }) as Served<DirectPVDrive>);
    await take('a', 90);
    assert.deepEqual(volumesOfDrive(server.drive), ['a']);
  });

  it('never makes a change later that it refused', async () => {
    const { server, take, hurry } = start();
    // The first write goes alone; the others wait for it and are written together.
    const first = take('first', 1);
    const large = assert.rejects(take('large', 90), { code: 'INSUFFICIENT_CAPACITY' });
    const small = take('small', 10);
    server.before = () => {
      if (server.reads === 0) return;
      // The refusal is certain, and now somebody frees the room that was missing.
      server.before = () => {};
      server.store(release(server.drive, { volume: 'old', bytes: 50 }) as Served<DirectPVDrive>);
    };
    await hurry(Promise.all([first, large, small]));
    assert.deepEqual(volumesOfDrive(server.drive), ['first', 'small']);
  });

  it('offers nobody what is already spoken for', async () => {
    const { ledger, take } = start();
    const taken = take('a', 45);
    assert.equal(ledger.choose({ labels: {}, bytes: 6 }), undefined);
    assert.equal(ledger.choose({ labels: {}, bytes: 5 })?.metadata.name, 'd');
    await taken;
    assert.equal(ledger.choose({ labels: {}, bytes: 5 })?.metadata.name, 'd');
    assert.deepEqual(ledger.holdersOf('a'), ['d']);
  });

  it('says that a drive is gone, and offers it no more', async () => {
    const { server, ledger, take } = start();
    server.remove();
    await assert.rejects(take('a', 1), { code: 'DRIVE_GONE' });
    assert.equal(ledger.get('d'), undefined);
    await assert.rejects(take('a', 1), { code: 'DRIVE_GONE' });
  });

  it('keeps what it knows when it hears of something older', () => {
    const { server, ledger } = start();
    const old = server.drive;
    ledger.observe(server.store({ ...old, spec: { unschedulable: true } }));
    ledger.observe(old);
    assert.equal(ledger.get('d')?.spec?.unschedulable, true);
    ledger.forget({ ...old, metadata: { ...old.metadata, uid: 'another' } });
    assert.ok(ledger.get('d') !== undefined);
  });
});
