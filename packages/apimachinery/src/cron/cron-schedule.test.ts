import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type Golden, golden } from '../golden-testing.ts';
import { parseCronSchedule } from './cron-schedule.ts';
import { InvalidScheduleError } from './errors.ts';
import { TimeZone } from './time-zone.ts';

interface Row {
  readonly schedule: string;
  readonly zone?: string;
  readonly from: string;
  readonly next: readonly string[];
}

interface Schedules extends Golden<Row> {
  readonly problems: readonly { readonly schedule: string; readonly error: string }[];
}

const { rows, problems } = golden('cron-schedules') as Schedules;

function times(schedule: string, zone: string, from: string, count: number): string[] {
  const parsed = parseCronSchedule(schedule, new TimeZone(zone));
  const result: string[] = [];
  let at: number | undefined = Date.parse(from);
  while (result.length < count) {
    at = parsed.next(at);
    if (at === undefined) break;
    result.push(new Date(at).toISOString().replace('.000Z', 'Z'));
  }
  return result;
}

/**
 * Where the library goes wrong when clocks skip midnight, or move by half an hour: a Saturday's job that it
 * runs on a Sunday, and a Tuesday that it leaves out. Ours are the times that the schedule says.
 */
const MISTAKEN: Readonly<Record<string, readonly string[]>> = {
  '0 22 * * 6 in America/Havana from 2026-03-07T09:15:06.000Z': [
    '2026-03-08T03:00:00Z',
    '2026-03-15T02:00:00Z',
    '2026-03-22T02:00:00Z',
    '2026-03-29T02:00:00Z',
  ],
  '0 0 30 4,6 0/2 in Australia/Lord_Howe from 2017-10-14T08:16:09.000Z': [
    '2018-03-31T13:00:00Z',
    '2018-04-02T13:30:00Z',
    '2018-04-04T13:30:00Z',
    '2018-04-06T13:30:00Z',
  ],
};

it('schedules are due when the library of Kubernetes says so, across changes of clocks', () => {
  for (const { schedule, zone = '', from, next } of rows) {
    const what = `${schedule} in ${zone || 'UTC'} from ${from}`;
    // After four times there may be more; after fewer, there is none within five years.
    assert.deepEqual(times(schedule, zone, from, 4), MISTAKEN[what] ?? next, what);
  }
});

describe('what is no schedule', () => {
  for (const { schedule, error } of problems)
    it(`${JSON.stringify(schedule)} is refused in the same words`, () => {
      assert.throws(() => parseCronSchedule(schedule), { message: error, code: 'INVALID_SCHEDULE' });
    });

  it('nor is a zone alone', () => {
    for (const text of ['TZ=UTC', 'CRON_TZ=', 'TZ=0'])
      assert.throws(() => parseCronSchedule(text), InvalidScheduleError);
  });
});

it('old schedules name their zone themselves', () => {
  const named = parseCronSchedule('CRON_TZ=Asia/Kolkata 0 0 * * *', new TimeZone('Europe/Berlin'));
  const given = parseCronSchedule('0 0 * * *', new TimeZone('Asia/Kolkata'));
  assert.equal(named.next(0), given.next(0));
});

it('a day that a place has skipped is skipped', () => {
  // Samoa went from the 29th of December 2011 to the 31st.
  assert.deepEqual(times('0 12 * * *', 'Pacific/Apia', '2011-12-29T12:00:00Z', 3), [
    '2011-12-29T22:00:00Z',
    '2011-12-30T22:00:00Z',
    '2011-12-31T22:00:00Z',
  ]);
  assert.deepEqual(times('0 0 1,15 * MON-WED', 'Pacific/Apia', '2011-12-29T23:43:43Z', 1), [
    '2011-12-31T10:00:00Z',
  ]);
});

it('the next time is later, fits, and nothing between fits', () => {
  const field = (min: number, max: number): fc.Arbitrary<string> =>
    fc.oneof(
      fc.constant('*'),
      fc.integer({ min, max }).map(String),
      fc.integer({ min: 1, max: 20 }).map((step) => `*/${step}`),
    );
  const schedule = fc.tuple(field(0, 59), field(0, 23), field(1, 28), field(1, 12), field(0, 6));
  const zones = fc.constantFrom('UTC', 'America/Havana', 'Australia/Lord_Howe', 'Europe/Berlin');
  const instants = fc.integer({ min: Date.UTC(2015), max: Date.UTC(2035) });
  fc.assert(
    fc.property(schedule, zones, instants, (fields, zone, from) => {
      const parsed = parseCronSchedule(fields.join(' '), new TimeZone(zone));
      const next = parsed.next(from);
      assert.ok(next !== undefined && next > from && next % 60_000 === 0);
      // Asked from just before it, the answer is the same; asked from it, it is another one.
      assert.equal(parsed.next(next - 1), next);
      assert.ok((parsed.next(next) ?? 0) > next);
      const middle = from + Math.floor((next - from) / 2);
      assert.equal(parsed.next(middle), next);
    }),
    { numRuns: 200 },
  );
});

it('times are written with the offset of their place', () => {
  const rows_: [string, string, string][] = [
    ['UTC', '2026-07-01T00:00:00Z', '2026-07-01T00:00:00Z'],
    ['Europe/London', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z'],
    ['Europe/Berlin', '2026-07-01T00:00:00Z', '2026-07-01T02:00:00+02:00'],
    ['America/St_Johns', '2026-01-01T00:00:00Z', '2025-12-31T20:30:00-03:30'],
  ];
  for (const [zone, instant, text] of rows_)
    assert.equal(new TimeZone(zone).format(Date.parse(instant)), text);
  for (const name of ['Mars/One', '+05:00', 'Local time'])
    assert.throws(() => new TimeZone(name), { code: 'UNKNOWN_TIME_ZONE' });
});

it('a schedule that is longer than anybody needs is refused without reading it', () => {
  const minutes = Array.from({ length: 60 }, (_, minute) => minute).join(',');
  assert.ok(parseCronSchedule(`${minutes} * * * *`).next(0) !== undefined);
  assert.throws(() => parseCronSchedule(`${'0,'.repeat(2048)}0 * * * *`), {
    message: /^it has 4105 characters; the limit is 4096$/,
  });
});
