import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { parseTimestamp } from '../protobuf/timestamp.ts';
import { timeProblem } from './time-problem.ts';
import { toTypedForm } from './typed-form.ts';

const SECONDS = '"2006-01-02T15:04:05Z07:00"';
const MICROS = '"2006-01-02T15:04:05.000000Z07:00"';

describe('what is wrong with a time', () => {
  const rows: [text: string, problem: string][] = [
    ['', ` as ${SECONDS}: cannot parse "" as "2006"`],
    ['x', ` as ${SECONDS}: cannot parse "x" as "2006"`],
    ['202-01-01T00:00:00Z', ` as ${SECONDS}: cannot parse "202-01-01T00:00:00Z" as "2006"`],
    ['2024/01', ` as ${SECONDS}: cannot parse "/01" as "-"`],
    ['2024-1-01T00:00:00Z', ` as ${SECONDS}: cannot parse "1-01T00:00:00Z" as "01"`],
    ['2024-13-01T00:00:00Z', ': month out of range'],
    ['2024-00-01T00:00:00Z', ': month out of range'],
    ['2023-02-29T00:00:00Z', ': day out of range'],
    ['2024-01-00T00:00:00Z', ': day out of range'],
    ['2024-01-01 00:00:00Z', ` as ${SECONDS}: cannot parse " 00:00:00Z" as "T"`],
    ['2024-01-01T24:00:00Z', ': hour out of range'],
    ['2024-01-01T00:60:00Z', ': minute out of range'],
    ['2024-01-01T00:00:60Z', ': second out of range'],
    ['2024-01-01T00:00:00', ` as ${SECONDS}: cannot parse "" as "Z07:00"`],
    ['2024-01-01T00:00:00z', ` as ${SECONDS}: cannot parse "z" as "Z07:00"`],
    ['2024-01-01T00:00:00.Z', ` as ${SECONDS}: cannot parse ".Z" as "Z07:00"`],
    ['2024-01-01T00:00:00+0100', ` as ${SECONDS}: cannot parse "+0100" as "Z07:00"`],
    ['2024-01-01T00:00:00 01:00', ` as ${SECONDS}: cannot parse " 01:00" as "Z07:00"`],
    ['2024-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
    ['2024-01-01T00:00:00+25:61', ': time zone offset minute out of range'],
    ['2024-01-01T00:00:00+25:x0', ': time zone offset hour out of range'],
    ['2024-01-01T00:00:00 25:00', ': time zone offset hour out of range'],
    ['2024-01-01T00:00:00+24:x0', ` as ${SECONDS}: cannot parse "+24:x0" as "Z07:00"`],
    ['2024-01-01T00:00:00+x5:61', ` as ${SECONDS}: cannot parse "+x5:61" as "Z07:00"`],
    ['2024-01-01T00:00:00ZZ', ': extra text: "Z"'],
  ];
  for (const [text, problem] of rows)
    it(JSON.stringify(text), () => {
      assert.equal(timeProblem(text, 'seconds'), `parsing time "${text}"${problem}`);
    });

  it('quotes what is no ASCII text as bytes', () => {
    assert.equal(
      timeProblem('é"\\\n', 'seconds'),
      `parsing time "\\xc3\\xa9\\"\\\\\\x0a" as ${SECONDS}: cannot parse "\\xc3\\xa9\\"\\\\\\x0a" as "2006"`,
    );
  });

  it('has exactly six digits of a second where there are microseconds', () => {
    for (const fraction of ['', '.12345', '.'])
      assert.equal(
        timeProblem(`2024-01-01T00:00:00${fraction}Z`, 'micros'),
        `parsing time "2024-01-01T00:00:00${fraction}Z" as ${MICROS}: cannot parse "${fraction}Z" as ".000000"`,
      );
    assert.equal(
      timeProblem('2024-01-01T00:00:00.1234567Z', 'micros'),
      `parsing time "2024-01-01T00:00:00.1234567Z" as ${MICROS}: cannot parse "7Z" as "Z07:00"`,
    );
  });
});

describe('a field that is a time', () => {
  const event = (firstTimestamp: unknown): unknown =>
    toTypedForm('v1', 'Event', { firstTimestamp }).object['firstTimestamp'];
  const lease = (renewTime: unknown): unknown =>
    (toTypedForm('coordination.k8s.io/v1', 'Lease', { spec: { renewTime } }).object['spec'] as object)[
      'renewTime' as never
    ];

  it('is refused when it is empty, and null when it is null', () => {
    assert.throws(() => event(''), { message: timeProblem('', 'seconds') });
    assert.throws(() => lease(''), { message: timeProblem('', 'micros') });
    assert.equal(event(null), null);
  });

  it('has six digits of a second or is refused, if it is a MicroTime', () => {
    const text = '2024-02-29T12:00:00Z';
    assert.equal(event(text), text);
    assert.throws(() => lease(text), { message: timeProblem(text, 'micros') });
    assert.equal(lease('2024-02-29T12:00:00,123456+02:00'), '2024-02-29T10:00:00.123456Z');
  });

  it('has a problem that names a day only if nothing else is wrong', () => {
    const two = fc.nat(70).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(two, two, two, two, two, (month, day, hour, minute, second) => {
        const text = `2023-${month}-${day}T${hour}:${minute}:${second}Z`;
        if (parseTimestamp(text) !== undefined) return;
        const isDay = timeProblem(text, 'seconds').endsWith(': day out of range');
        const isRest = Number(month) > 12 || month === '00' || Number(hour) > 23;
        assert.equal(isDay, !isRest && Number(minute) < 60 && Number(second) < 60, text);
      }),
    );
  });
});
