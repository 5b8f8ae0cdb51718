import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fault, Plan } from '../plan/fault.ts';
import { VirtualTime } from '../time/virtual-time.ts';
import { CallCounts } from '../world/call-counts.ts';
import { RequestCounts } from '../world/request-counts.ts';
import { Trace } from '../world/trace.ts';
import { PlanInAction } from './apply-plan.ts';
import type { StageProcess } from './stage.ts';

const SECOND = 1000;

/** A process, a node and a server that note what is done to them, and when, in seconds. */
function start(plan: Plan) {
  const time = new VirtualTime(1);
  const said: string[] = [];
  const say = (what: string): void => void said.push(`${time.elapsedMs / SECOND} ${what}`);
  let isUp = true;
  const watchOf = (path: string) => ({
    request: { path },
    hold: () => say(`hold ${path}`),
    release: () => say(`release ${path}`),
    break: () => say(`break ${path}`),
  });
  const watches = [watchOf('/api/v1/pods'), watchOf('/api/v1/nodes')];
  const operator = {
    starts: 1,
    link: {
      watches,
      delay: (ms: number) => say(`delay ${ms}`),
      cut: () => say('cut'),
      mend: () => say('mend'),
    },
    get isUp() {
      return isUp;
    },
    start(): void {
      if (!isUp) operator.starts++;
      isUp = true;
      say('start');
    },
    kill(): void {
      isUp = false;
      say('kill');
    },
    freeze: () => say('freeze'),
    thaw: () => say('thaw'),
    skew: (ms: number) => say(`skew ${ms}`),
  } satisfies StageProcess;
  const requests = new RequestCounts();
  const calls = new CallCounts();
  const inAction = new PlanInAction(
    {
      time,
      trace: new Trace(time),
      requests,
      calls,
      processes: new Map([['operator', operator]]),
      kubelet: {
        suspend: (node) => say(`suspend ${node}`),
        resume: (node) => say(`resume ${node}`),
      },
      machines: new Map([
        [
          'n',
          {
            lose: (drive) => say(`lose ${drive}`),
            find: (drive) => say(`find ${drive}`),
            fill: (drive, isFull) => say(`fill ${drive} ${isFull}`),
            slow: (drive, isSlow) => say(`slow ${drive} ${isSlow}`),
          },
        ],
      ]),
      serverDown: () => say('server down'),
      serverUp: () => say('server up'),
      compact: () => say('compact'),
    },
    plan,
  );
  const passTo = (seconds: number): void => {
    while (time.step(seconds * SECOND));
  };
  return { calls, inAction, operator, passTo, requests, said, time, watches };
}

it('a call fails until all faults are over', () => {
  const fault = {
    kind: 'call',
    process: 'operator',
    call: 'rename',
    number: 1,
    code: 'EIO',
    times: 9,
  } as const;
  const { calls, inAction } = start([fault]);
  calls.begin();
  assert.ok(inAction.isOver, 'nobody waits for a call that may never be made');
  assert.equal(calls.make('operator', 'rename'), 'EIO');
  inAction.heal();
  assert.equal(calls.make('operator', 'rename'), undefined);
});

const process = 'operator';
const at = (seconds: number, forSeconds: number) => ({ when: seconds * SECOND, forMs: forSeconds * SECOND });
const kill = (seconds: number, downSeconds: number): Fault => ({
  kind: 'kill',
  process,
  when: seconds * SECOND,
  downMs: downSeconds * SECOND,
});

describe('a plan', () => {
  for (const [name, plan, expected] of [
    ['of latency', [{ kind: 'latency', process, ...at(1, 5), addMs: 20 }], ['1 delay 20', '6 delay -20']],
    ['of a kill', [kill(1, 5)], ['1 kill', '6 start']],
    ['of a freeze', [{ kind: 'freeze', process, ...at(1, 5) }], ['1 freeze', '6 thaw']],
    ['of a partition', [{ kind: 'partition', process, ...at(1, 5) }], ['1 cut', '6 mend']],
    ['of a node', [{ kind: 'node', node: 'n', ...at(1, 5) }], ['1 suspend n', '6 resume n']],
    [
      'of a server that forgets',
      [{ kind: 'server', when: SECOND, downMs: 5 * SECOND, compacts: true }],
      ['1 server down', '1 compact', '6 server up'],
    ],
    [
      'of a server that does not',
      [{ kind: 'server', when: SECOND, downMs: 5 * SECOND }],
      ['1 server down', '6 server up'],
    ],
    [
      'of watches that break',
      [{ kind: 'watch', process, when: SECOND, effect: 'drop' }],
      ['1 break /api/v1/pods', '1 break /api/v1/nodes'],
    ],
    [
      'of a forgotten past',
      [{ kind: 'watch', process, when: SECOND, effect: 'compact', resource: 'pods' }],
      ['1 compact', '1 break /api/v1/pods'],
    ],
    [
      'of a watch that is held',
      [{ kind: 'watch', process, ...at(1, 5), effect: 'hold', resource: 'nodes' }],
      ['1 hold /api/v1/nodes', '6 release /api/v1/nodes'],
    ],
    [
      'of a gap',
      [{ kind: 'watch', process, ...at(1, 5), effect: 'gap', resource: 'nodes' }],
      ['1 hold /api/v1/nodes', '6 compact', '6 break /api/v1/nodes'],
    ],
    [
      'of a drive that is lost',
      [{ kind: 'drive', node: 'n', drive: 'd', effect: 'lost', ...at(1, 5) }],
      ['1 lose d', '6 find d'],
    ],
    [
      'of a drive that is full',
      [{ kind: 'drive', node: 'n', drive: 'd', effect: 'full', ...at(1, 5) }],
      ['1 fill d true', '6 fill d false'],
    ],
    [
      'of a drive that is slow',
      [{ kind: 'drive', node: 'n', drive: 'd', effect: 'slow', ...at(1, 5) }],
      ['1 slow d true', '6 slow d false'],
    ],
  ] as const satisfies readonly (readonly [string, Plan, readonly string[]])[])
    it(`${name} begins and ends in its time`, () => {
      const { inAction, passTo, said } = start(plan);
      assert.equal(inAction.isOver, false);
      passTo(100);
      assert.deepEqual(said, expected);
      assert.equal(inAction.isOver, true);
    });

  it('sets a clock, which is right again when everything heals', () => {
    const { inAction, passTo, said } = start([{ kind: 'clock', process, when: SECOND, byMs: -300 }]);
    passTo(100);
    assert.deepEqual(said, ['1 skew -300']);
    assert.equal(inAction.isOver, true);
    inAction.heal();
    assert.deepEqual(said, ['1 skew -300', '100 skew 300', '100 start']);
  });

  it('begins with a write of somebody, and that is no part of its end', () => {
    const { inAction, passTo, requests, said } = start([
      { kind: 'partition', process, when: { write: 2, by: 'user' }, forMs: SECOND },
    ]);
    requests.begin();
    assert.equal(inAction.isOver, true, 'a write may never come');
    passTo(3);
    requests.written('user');
    requests.written('operator');
    assert.deepEqual(said, []);
    requests.written('user');
    assert.deepEqual([said, inAction.isOver], [['3 cut'], false]);
    passTo(4);
    assert.deepEqual([said, inAction.isOver], [['3 cut', '4 mend'], true]);
  });

  it('heals at once, and nothing begins or ends after that', () => {
    const { inAction, passTo, said } = start([
      { kind: 'partition', process, ...at(1, 50) },
      kill(2, 50),
      { kind: 'node', node: 'n', ...at(20, 5) },
    ]);
    passTo(10);
    inAction.heal();
    const healed = ['1 cut', '2 kill', '10 mend', '10 start', '10 start'];
    assert.deepEqual(said, healed);
    assert.equal(inAction.isOver, false, 'a time that has not come');
    passTo(100);
    assert.deepEqual(said, healed);
  });
});

describe('two faults that overlap', () => {
  for (const [name, plan, expected] of [
    [
      'partitions',
      [
        { kind: 'partition', process, ...at(1, 5) },
        { kind: 'partition', process, ...at(4, 10) },
      ],
      ['1 cut', '14 mend'],
    ],
    [
      'the shorter inside of the longer',
      [
        { kind: 'freeze', process, ...at(1, 20) },
        { kind: 'freeze', process, ...at(4, 1) },
      ],
      ['1 freeze', '21 thaw'],
    ],
    [
      'servers',
      [
        { kind: 'server', when: SECOND, downMs: 5 * SECOND },
        { kind: 'server', when: 2 * SECOND, downMs: SECOND, compacts: true },
      ],
      ['1 server down', '2 compact', '6 server up'],
    ],
    [
      'nodes',
      [
        { kind: 'node', node: 'n', ...at(1, 9) },
        { kind: 'node', node: 'n', ...at(2, 2) },
      ],
      ['1 suspend n', '10 resume n'],
    ],
    [
      'drives',
      [
        { kind: 'drive', node: 'n', drive: 'd', effect: 'lost', ...at(1, 9) },
        { kind: 'drive', node: 'n', drive: 'd', effect: 'lost', ...at(2, 2) },
        { kind: 'drive', node: 'n', drive: 'd', effect: 'full', ...at(2, 2) },
        { kind: 'drive', node: 'n', drive: 'e', effect: 'lost', ...at(2, 2) },
      ],
      ['1 lose d', '2 fill d true', '2 lose e', '4 fill d false', '4 find e', '10 find d'],
    ],
    [
      'one after the other, which do not',
      [
        { kind: 'partition', process, ...at(1, 2) },
        { kind: 'partition', process, ...at(4, 2) },
      ],
      ['1 cut', '3 mend', '4 cut', '6 mend'],
    ],
  ] as const satisfies readonly (readonly [string, Plan, readonly string[]])[])
    it(`end with the later end: ${name}`, () => {
      const { passTo, said } = start(plan);
      passTo(100);
      assert.deepEqual(said.toSorted(inTime), expected);
    });
});

/** Of those at the same time the plan does not say which is first. */
function inTime(a: string, b: string): number {
  return Number.parseFloat(a) - Number.parseFloat(b) || (a < b ? -1 : 1);
}

describe('a process that is killed meanwhile', () => {
  const meanwhile = (fault: Fault): string[] => {
    const { passTo, said } = start([fault, kill(2, 1)]);
    passTo(100);
    return said.filter((line) => !line.endsWith('kill') && !line.endsWith('start'));
  };

  it('has the network of its machine, which is cut and slow as before', () => {
    assert.deepEqual(meanwhile({ kind: 'partition', process, ...at(1, 9) }), ['1 cut', '10 mend']);
    assert.deepEqual(meanwhile({ kind: 'latency', process, ...at(1, 9), addMs: 5 }), [
      '1 delay 5',
      '10 delay -5',
    ]);
  });

  it('has it also when it is down as that begins', () => {
    const fault: Fault = { kind: 'partition', process, ...at(2.5, 9) };
    assert.deepEqual(meanwhile(fault), ['2.5 cut', '11.5 mend']);
  });

  it('does not stand still when it is back, and the next freeze lasts as long as it should', () => {
    assert.deepEqual(meanwhile({ kind: 'freeze', process, ...at(1, 9) }), ['1 freeze']);
    const { passTo, said } = start([
      { kind: 'freeze', process, ...at(1, 9) },
      kill(2, 1),
      { kind: 'freeze', process, ...at(5, 20) },
    ]);
    passTo(100);
    assert.deepEqual(said, ['1 freeze', '2 kill', '3 start', '5 freeze', '25 thaw']);
  });

  it('cannot be killed or frozen, and has no watches, while it is down', () => {
    const { passTo, said } = start([
      kill(1, 10),
      kill(2, 1),
      { kind: 'freeze', process, ...at(3, 1) },
      { kind: 'watch', process, when: 3 * SECOND, effect: 'compact' },
    ]);
    passTo(100);
    assert.deepEqual(said, ['1 kill', '11 start']);
  });

  it('opens watches that nobody holds or breaks', () => {
    for (const effect of ['hold', 'gap'] as const) {
      const { passTo, said, watches } = start([{ kind: 'watch', process, ...at(1, 9), effect }]);
      passTo(2);
      watches.length = 0;
      watches.push({
        request: { path: '/new' },
        hold: () => assert.fail('held'),
        release: () => assert.fail('released'),
        break: () => assert.fail('broken'),
      });
      passTo(100);
      assert.equal(said.length, effect === 'hold' ? 4 : 5);
    }
  });
});
