import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { DefinitionVersion } from '../definition/definition-object.ts';
import { deprecationOf } from './deprecation.ts';

type Row = readonly [name: string, served?: boolean, deprecated?: boolean];

function warning(name: string, rows: readonly Row[], deprecationWarning?: string): string | undefined {
  const versions: DefinitionVersion[] = rows.map(([one, served = true, deprecated = false], index) => ({
    name: one,
    served,
    deprecated,
    storage: index === 0,
    ...(one === name && deprecationWarning !== undefined && { deprecationWarning }),
  }));
  const version = versions.find((one) => one.name === name);
  assert.ok(version);
  const names = { kind: 'Widget', plural: 'widgets' };
  return deprecationOf({ group: 'example.com', names, versions }, version).deprecation;
}

describe('the warning of a deprecated custom version', () => {
  it('is none of one that is not deprecated', () => {
    assert.equal(warning('v1', [['v1']]), undefined);
  });
  it('is its own', () => {
    assert.equal(warning('v1', [['v1', true, true], ['v2']], 'leave it'), 'leave it');
  });
  it('names the newest that is served and not deprecated', () => {
    const rows: Row[] = [['v1', true, true], ['v2'], ['v4', false], ['v3'], ['v5', true, true]];
    assert.equal(warning('v1', rows), 'example.com/v1 Widget is deprecated; use example.com/v3 Widget');
  });
  it('names none that is older', () => {
    assert.equal(
      warning('v2', [['v1'], ['v2', true, true], ['v3beta1']]),
      'example.com/v2 Widget is deprecated',
    );
  });
});
