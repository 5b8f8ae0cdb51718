import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ANY, excludeFields, includeFields } from './field-filter.ts';
import { FieldSet } from './field-set.ts';
import { type ElementPath, formatPath, keyElement, pathOf } from './path-element.ts';

const web = keyElement({ name: 'web' });
const containers: ElementPath = pathOf('spec', 'containers');
const fields = FieldSet.of(
  pathOf('metadata', 'labels', 'a'),
  pathOf('status'),
  pathOf('status', 'phase'),
  [...containers, web],
  [...containers, web, ...pathOf('image')],
  [...containers, web, ...pathOf('resources', 'limits')],
  [...containers, web, ...pathOf('resources')],
);
const names = (set: FieldSet): string[] => [...set.paths()].map(formatPath).sort();

describe('field filters', () => {
  it('exclude fields and what is below them', () => {
    const filter = excludeFields(FieldSet.of(pathOf('status'), pathOf('spec')));
    assert.deepEqual(names(filter(fields)), ['.metadata.labels.a']);
  });

  it('include what begins as a pattern does, and the steps on the way', () => {
    const filter = includeFields(['spec', 'containers', ANY, 'resources'], ['status', 'phase']);
    assert.deepEqual(names(filter(fields)), [
      '.spec.containers[name="web"]',
      '.spec.containers[name="web"].resources',
      '.spec.containers[name="web"].resources.limits',
      '.status',
      '.status.phase',
    ]);
  });

  it('include nothing where nothing matches', () => {
    assert.ok(includeFields(['nope'])(fields).isEmpty);
    assert.ok(includeFields()(fields).isEmpty);
  });
});
