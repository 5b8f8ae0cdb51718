import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FieldSet } from './field-set.ts';
import { formatFieldsV1, parseFieldsV1 } from './fields-v1.ts';
import { SharedLevels } from './shared-levels.ts';

const status = (ip: string): FieldSet =>
  FieldSet.of(
    ['f:status', 'f:phase'],
    ['f:status', 'f:conditions', 'k:{"type":"Ready"}'],
    ['f:status', 'f:conditions', 'k:{"type":"Ready"}', 'f:status'],
    ['f:status', 'f:podIPs', `k:{"ip":"${ip}"}`, 'f:ip'],
  );

describe('equal sets', () => {
  it('are one, with one JSON, and parts of different ones that are equal are one as well', () => {
    const levels = new SharedLevels();
    const [first, same, other] = [status('10.0.0.1'), status('10.0.0.1'), status('10.0.0.2')].map((set) =>
      levels.of(set),
    );
    assert.equal(first, same);
    assert.notEqual(first?.json, other?.json);
    const conditions = (level: typeof first): unknown => level?.set.below('f:status').below('f:conditions');
    assert.equal(conditions(first), conditions(other));
    assert.deepEqual([...(other?.set.paths() ?? [])], [...status('10.0.0.2').paths()]);
  });

  it('differ by what is a member itself, and by where a name ends', () => {
    const levels = new SharedLevels();
    const sets = [
      FieldSet.of(['f:a', 'f:b']),
      FieldSet.of(['f:a'], ['f:a', 'f:b']),
      FieldSet.of(['f:a,3:f:b']),
      FieldSet.of(['f:a'], ['f:b']),
    ];
    assert.equal(new Set(sets.map((set) => levels.of(set).json)).size, sets.length);
    for (const set of sets) assert.deepEqual([...levels.of(set).set.paths()], [...set.paths()]);
  });

  it('that were forgotten are made anew, and are right', () => {
    const levels = new SharedLevels(2);
    const before = levels.of(status('10.0.0.1'));
    for (let index = 0; index < 50; index++) levels.of(FieldSet.of([`f:${index}`]));
    const after = levels.of(status('10.0.0.1'));
    assert.notEqual(after, before);
    assert.deepEqual(after.json, before.json);
  });

  it('are read back as they were, by way of the JSON', () => {
    const set = status('10.0.0.1');
    const fields = formatFieldsV1(set);
    assert.equal(formatFieldsV1(status('10.0.0.1')), fields);
    assert.equal(formatFieldsV1(parseFieldsV1(fields)), fields);
    assert.deepEqual(
      parseFieldsV1(JSON.parse(JSON.stringify(fields)))
        .paths()
        .toArray(),
      set.paths().toArray(),
    );
  });
});
