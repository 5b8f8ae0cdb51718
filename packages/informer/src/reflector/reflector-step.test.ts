import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import type { Failure, FailureKind } from '../list-watch/failure.ts';
import type { Effect, Input, ReflectorConfig, ReflectorState, Step } from './reflector-state.ts';
import { initialState, MAX_FAILED_STREAMS, SHORT_WATCH_MS, step } from './reflector-step.ts';

const LISTING: ReflectorConfig = { streaming: false, pageSize: 500 };
const STREAMING: ReflectorConfig = { streaming: true, pageSize: 500 };

const failed = (kind: FailureKind, retryAfterMs = 0): Input => ({
  on: 'failed',
  failure: { kind, error: new Error(kind), retryAfterMs },
});
const page = (resourceVersion: string, continueToken?: string): Input => ({
  on: 'page',
  resourceVersion,
  continueToken,
});
const events = (first: string | undefined, last = first): Input => ({
  on: 'events',
  first,
  last,
  marker: undefined,
});
const marked = (marker: string): Input => ({ on: 'events', first: undefined, last: undefined, marker });
const opened: Input = { on: 'opened' };
const waited: Input = { on: 'waited' };
const silent: Input = { on: 'silent' };
const asked: Input = { on: 'relist-asked' };
const closed = (lastedMs = SHORT_WATCH_MS): Input => ({ on: 'closed', lastedMs });

/** An effect, and what comes with it, in a few words. */
function brief({ effect, commit, apply, report }: Step): string {
  const doing = {
    list: (e: Extract<Effect, { do: 'list' }>) =>
      e.continueToken === undefined ? `list ${e.resourceVersion || 'newest'} limit ${e.limit}` : 'next page',
    open: (e: Extract<Effect, { do: 'open' }>) =>
      `${e.sendInitialEvents ? 'stream' : 'watch'} ${e.resourceVersion || 'newest'}`,
    read: () => 'read',
    wait: (e: Extract<Effect, { do: 'wait' }>) => (e.atLeastMs === 0 ? 'wait' : `wait ${e.atLeastMs}`),
  };
  const text = doing[effect.do](effect as never);
  const said = report === undefined ? [] : [`${report.what}${'reason' in report ? ` ${report.reason}` : ''}`];
  const committed =
    commit === undefined ? [] : [`commit ${commit.version}${commit.versionsAreUnique ? '' : ' in doubt'}`];
  return [text, ...committed, ...(apply === true ? ['apply'] : []), ...said].join(', ');
}

/** Feeds inputs to a fresh machine and answers what it wanted after each, the start included. */
function story(config: ReflectorConfig, ...inputs: readonly Input[]): string[] {
  let state: ReflectorState = initialState(config);
  return [{ on: 'start' } as const, ...inputs].map((input) => {
    const taken = step(state, input, config);
    state = taken.state;
    return brief(taken);
  });
}

const LIST_TO_WATCH = [page('7'), opened];
const ENDS: readonly Input[] = [closed(), silent, failed('transport')];

test('a plain list: the first from the server`s cache in pages, then a watch from the first page`s version', () => {
  assert.deepEqual(
    story(LISTING, page('7', 'more'), page('9', 'more'), page('9'), opened, events('8', '11')),
    ['list 0 limit 500', 'next page', 'next page', 'watch 7, commit 7', 'read', 'read, apply'],
  );
});

test('a streaming list: the same stream goes on with the changes', () => {
  assert.deepEqual(story(STREAMING, opened, events(undefined), marked('7'), events('8')), [
    'stream newest',
    'read',
    'read',
    'read, commit 7',
    'read, apply',
  ]);
});

test('a relist asks for what is known already, whole, unless the server serves pages anyway', () => {
  const relist = [failed('expired'), waited];
  assert.equal(story(LISTING, ...LIST_TO_WATCH, ...relist).at(-1), 'list 7 limit 0');
  assert.equal(story(LISTING, page('7', 'more'), page('7'), opened, ...relist).at(-1), 'list 7 limit 500');
  assert.equal(story(STREAMING, opened, marked('7'), ...relist).at(-1), 'stream 7');
});

test('pages that run out of time are fetched whole', () => {
  const rows = story(LISTING, page('7', 'more'), failed('expired'), page('9'));
  assert.deepEqual(rows.slice(2), ['list 0 limit 0, list-failed', 'watch 9, commit 9']);
});

test('a version that the server does not have is asked for once; then the newest is', () => {
  for (const kind of ['expired', 'version-too-large', 'unsupported'] as const) {
    const rows = story(
      LISTING,
      ...LIST_TO_WATCH,
      failed('expired'),
      waited,
      failed(kind),
      failed(kind),
      waited,
    );
    assert.deepEqual(rows.slice(4), [
      'list 7 limit 0',
      'list newest limit 500, list-failed',
      'wait, list-failed',
      'list newest limit 500',
    ]);
  }
});

test('what a list at the newest version finds is in doubt: versions may have been used twice', () => {
  const relist = [failed('version-too-large'), waited, page('5')];
  assert.equal(story(LISTING, ...LIST_TO_WATCH, ...relist).at(-1), 'watch 5, commit 5 in doubt');
});

test('so is what a list finds that went back by itself', () => {
  const relist = [failed('expired'), waited, page('5')];
  assert.equal(story(LISTING, ...LIST_TO_WATCH, ...relist).at(-1), 'watch 5, commit 5 in doubt');
});

test('a watch that ends is resumed from the last version', () => {
  const rows = story(LISTING, ...LIST_TO_WATCH, events('8', '11'), closed());
  assert.equal(rows.at(-1), 'watch 11, reopen closed');
});

test('one that ends at once is resumed after a pause, also when it said something', () => {
  const rows = story(LISTING, ...LIST_TO_WATCH, events('8'), closed(SHORT_WATCH_MS - 1), waited);
  assert.deepEqual(rows.slice(-2), ['wait, reopen short', 'watch 8']);
});

test('what breaks a watch, and how it goes on', () => {
  const rows: readonly [FailureKind, string, string][] = [
    ['transport', 'wait, reopen transport', 'watch 8'],
    ['server', 'wait, reopen server', 'watch 8'],
    ['throttled', 'wait, reopen throttled', 'watch 8'],
    ['denied', 'wait, reopen denied', 'watch 8'],
    ['expired', 'wait, relist expired', 'list 8 limit 0'],
    ['not-found', 'wait, relist not-found', 'list 8 limit 0'],
    ['version-too-large', 'wait, relist version-too-large', 'list newest limit 500'],
    ['unsupported', 'wait, relist unsupported', 'list newest limit 500'],
  ];
  for (const [kind, first, then] of rows) {
    // In mid-stream, and when it is opened.
    assert.deepEqual(story(LISTING, ...LIST_TO_WATCH, events('8'), failed(kind), waited).slice(-2), [
      first,
      then,
    ]);
    const atOpening = story(LISTING, page('8'), failed(kind), waited);
    assert.deepEqual(atOpening.slice(-2), [first, then]);
  }
});

test('the server`s wish to wait is honoured', () => {
  assert.equal(story(LISTING, failed('throttled', 5000)).at(-1), 'wait 5000, list-failed');
  assert.equal(
    story(LISTING, ...LIST_TO_WATCH, failed('throttled', 5000)).at(-1),
    'wait 5000, reopen throttled',
  );
  assert.equal(story(STREAMING, failed('server', 5000)).at(-1), 'wait 5000, stream-failed failed');
});

test('after silence the server is asked whether it is behind', () => {
  const silence = [...LIST_TO_WATCH, silent];
  assert.deepEqual(story(LISTING, ...silence, page('7'), opened).slice(-3), [
    'list 7 limit 1, reopen silent',
    'watch 7',
    'read',
  ]);
  assert.deepEqual(story(LISTING, ...silence, failed('version-too-large'), waited).slice(-2), [
    'wait, relist version-too-large',
    'list newest limit 500',
  ]);
  assert.equal(story(LISTING, ...silence, page('5')).at(-1), 'wait, relist version-went-back');
  assert.deepEqual(story(LISTING, ...silence, failed('transport'), waited).slice(-2), [
    'wait, reopen transport',
    'watch 7',
  ]);
});

test('a server that does not even answer a watch is as silent as one that sends nothing', () => {
  assert.deepEqual(story(LISTING, page('7'), silent, page('7')).slice(2), [
    'list 7 limit 1, reopen silent',
    'watch 7',
  ]);
  assert.deepEqual(story(STREAMING, silent), ['stream newest', 'list 0 limit 500, stream-failed silent']);
  assert.deepEqual(story(LISTING, page(''), silent).at(-1), 'wait, relist no-version');
});

test('a stream that begins with the past is a server that lost its history', () => {
  const rows = story(LISTING, ...LIST_TO_WATCH, events('3'), waited);
  assert.deepEqual(rows.slice(-2), ['wait, relist version-went-back', 'list newest limit 500']);
});

test('later on a stream an older version is a late bookmark and changes nothing', () => {
  const rows = story(LISTING, ...LIST_TO_WATCH, events('9'), events('3'), closed());
  assert.deepEqual(rows.slice(-2), ['read, apply', 'watch 9, reopen closed']);
});

test('from a server without versions nothing can be resumed', () => {
  for (const version of ['', '0']) {
    for (const end of ENDS)
      assert.equal(story(LISTING, page(version), opened, end).at(-1), 'wait, relist no-version');
  }
  // A change on the way brings one.
  assert.equal(
    story(LISTING, page(''), opened, events(undefined), events('5'), closed()).at(-1),
    'watch 5, reopen closed',
  );
});

test('a streaming list that the server refuses is not tried again', () => {
  const rows = story(STREAMING, failed('unsupported'), page('7'), opened, failed('expired'), waited);
  assert.deepEqual(rows.slice(1), [
    'list 0 limit 500, streaming-given-up refused',
    'watch 7, commit 7',
    'read',
    'wait, relist expired',
    'list 7 limit 0',
  ]);
});

test('one that the server answers with an error is replaced by a list at once, and tried again the next time', () => {
  for (const kind of ['server', 'denied'] as const) {
    const rows = story(STREAMING, opened, failed(kind), page('7'), opened, failed('expired'), waited);
    assert.deepEqual([rows[2], rows.at(-1)], ['list 0 limit 500, stream-failed failed', 'stream 7']);
  }
});

test('one without a marker is replaced by a list at once, and after some not tried again', () => {
  for (const end of [closed(), silent] satisfies Input[]) {
    const attempt: Input[] = [opened, end, page('7'), opened, failed('expired'), waited];
    const rows = story(STREAMING, ...Array.from({ length: MAX_FAILED_STREAMS }, () => attempt).flat());
    assert.equal(rows.filter((row) => row.startsWith('stream')).length, MAX_FAILED_STREAMS);
    assert.equal(rows.filter((row) => row.includes('given-up')).length, 1);
    assert.equal(rows.at(-1), 'list 7 limit 0');
  }
});

test('one that breaks is tried again, and after some a list is', () => {
  const attempt = [failed('transport'), waited];
  const rows = story(STREAMING, ...attempt, ...attempt, ...attempt);
  assert.deepEqual([rows[2], rows[4], rows[6]], ['stream newest', 'stream newest', 'list 0 limit 500']);
});

test('one from a version that the server does not have asks for the newest', () => {
  for (const kind of ['expired', 'version-too-large'] as const) {
    const relist = [opened, marked('7'), failed('expired'), waited];
    const rows = story(STREAMING, ...relist, failed(kind), failed(kind), waited);
    assert.deepEqual(rows.slice(-4), [
      'stream 7',
      'stream newest, stream-failed failed',
      'wait, stream-failed failed',
      'stream newest',
    ]);
  }
});

test('a kind that is not served is tried again after a pause, by a stream or a list', () => {
  assert.deepEqual(story(STREAMING, failed('not-found'), waited).slice(-2), [
    'wait, stream-failed failed',
    'stream newest',
  ]);
  assert.deepEqual(story(LISTING, failed('not-found'), waited).slice(-2), [
    'wait, list-failed',
    'list 0 limit 500',
  ]);
});

test('who asks for a relist gets the newest state, whatever is going on', () => {
  const before: readonly (readonly Input[])[] = [
    [],
    [page('7', 'more')],
    [page('7')],
    LIST_TO_WATCH,
    [...LIST_TO_WATCH, silent],
    [...LIST_TO_WATCH, failed('transport')],
  ];
  for (const inputs of before)
    assert.equal(story(LISTING, ...inputs, asked).at(-1), 'list newest limit 500, relist asked');
  assert.equal(story(STREAMING, opened, marked('7'), asked).at(-1), 'stream newest, relist asked');
});

// ---- for any story

const KINDS: readonly FailureKind[] = [
  'expired',
  'version-too-large',
  'throttled',
  'unsupported',
  'not-found',
  'denied',
  'server',
  'transport',
];

type Choice = { readonly roll: number; readonly kind: FailureKind; readonly jump: number };

/** What a server may answer to an effect. Versions move on, and now and then back. */
function answerTo(effect: Effect, state: ReflectorState, { roll, kind, jump }: Choice, now: number): Input {
  if (roll === 0) return asked;
  switch (effect.do) {
    case 'wait':
      return waited;
    case 'list':
      if (roll < 4) return failed(kind);
      return page(String(now + jump), roll < 6 && state.phase === 'listing' ? 'more' : undefined);
    case 'open':
      return roll < 4 ? failed(kind) : opened;
    case 'read':
      if (roll < 3) return failed(kind);
      if (roll === 3) return closed(jump * 1000);
      if (roll === 4) return silent;
      if (state.phase === 'streaming') return roll < 7 ? events(undefined) : marked(String(now + jump));
      return events(String(now + jump - (roll === 5 ? 9 : 0)), String(now + jump));
    default:
      return effect satisfies never;
  }
}

/** What must hold of any step, kept beside the machine and knowing nothing of its phases. */
class Model {
  /** The newest version that was committed or applied since the last commit. */
  version = '';
  requestsWithoutPause = 0;
  isStreamOpen = false;

  check(input: Input, taken: Step): void {
    if (taken.commit !== undefined) this.version = taken.commit.version;
    if (taken.apply === true && input.on === 'events' && input.last !== undefined)
      this.version = Number(input.last) < Number(this.version) ? this.version : input.last;
    assert.equal(taken.state.version, this.version, 'the version is what was handed on');

    if (taken.close === true) this.isStreamOpen = false;
    // What the user asks for is the user's doing: what the machine does by itself is counted from there.
    if (input.on === 'relist-asked') this.requestsWithoutPause = 0;
    const { effect } = taken;
    switch (effect.do) {
      case 'open':
        assert.equal(this.isStreamOpen, false, 'a second stream is opened');
        if (!effect.sendInitialEvents)
          assert.equal(effect.resourceVersion, this.version, 'resumes elsewhere');
        this.requestsWithoutPause++;
        break;
      case 'list':
        assert.equal(this.isStreamOpen, false, 'a list beside an open stream');
        if (effect.continueToken !== undefined) assert.equal(effect.resourceVersion, '');
        break;
      case 'wait':
        this.requestsWithoutPause = 0;
        break;
      case 'read':
        if (input.on === 'opened') this.isStreamOpen = true;
        assert.ok(this.isStreamOpen, 'reads what is not open');
        this.requestsWithoutPause = 0;
        break;
      default:
        effect satisfies never;
    }
    // A server that refuses everything must not be asked without a pause.
    if (effect.do === 'list' && input.on === 'failed') this.requestsWithoutPause++;
    assert.ok(this.requestsWithoutPause <= 5, 'asks again and again without a pause');
    const isInterrupted = ['failed', 'closed', 'silent', 'relist-asked'].includes(input.on);
    assert.equal(taken.report !== undefined, isInterrupted || effect.do === 'wait', `report of ${input.on}`);
  }
}

const choice = fc.record({ roll: fc.nat(11), kind: fc.constantFrom(...KINDS), jump: fc.nat(3) });

const ASK: Choice = { roll: 0, kind: 'expired', jump: 0 };

test('in any story: resumes from what was handed on, one stream at a time, pauses, and says why', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(choice, { maxLength: 120 }), (streaming, choices) => {
      const config = { streaming, pageSize: 10 };
      const model = new Model();
      let taken = step(initialState(config), { on: 'start' }, config);
      model.check({ on: 'start' }, taken);
      let now = 10;
      for (const next of choices) {
        now += next.jump;
        const input = answerTo(taken.effect, taken.state, next, now);
        taken = step(taken.state, input, config);
        model.check(input, taken);
      }
    }),
    { numRuns: 500, examples: [[true, Array.from({ length: 9 }, () => ASK)]] },
  );
});

test('from any state: once the server is well it takes a few steps to watch the newest version', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(choice, { maxLength: 60 }), (streaming, choices) => {
      const config = { streaming, pageSize: 10 };
      let taken = step(initialState(config), { on: 'start' }, config);
      let now = 10;
      for (const next of choices) {
        now += next.jump;
        taken = step(taken.state, answerTo(taken.effect, taken.state, next, now), config);
      }
      const answers: Readonly<Record<Effect['do'], () => Input>> = {
        wait: () => waited,
        list: () => page('99'),
        open: () => opened,
        read: () => (taken.state.phase === 'streaming' ? marked('99') : events('99')),
      };
      for (let steps = 0; steps < 5; steps++) taken = step(taken.state, answers[taken.effect.do](), config);
      assert.deepEqual([taken.state.phase, taken.state.version], ['watching', '99']);
    }),
    { numRuns: 500 },
  );
});

test('an answer to a question that was not asked is a defect, and says so', () => {
  const state = step(initialState(LISTING), { on: 'start' }, LISTING).state;
  assert.throws(() => step(state, silent, LISTING), /listing cannot take silent/);
  const failure: Failure = { kind: 'server', error: new Error('x'), retryAfterMs: 0 };
  assert.doesNotThrow(() => step(state, { on: 'failed', failure }, LISTING));
});
