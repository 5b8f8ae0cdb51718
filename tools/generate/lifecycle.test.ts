import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deprecationWarning, parseLifecycles } from './lifecycle.ts';

const SOURCE = `
func (in *Old) APILifecycleIntroduced() (major, minor int) {
	return 1, 0
}

func (in *Old) APILifecycleDeprecated() (major, minor int) {
	return 1, 33
}

func (in *Old) APILifecycleReplacement() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: "new.k8s.io", Version: "v1", Kind: "New"}
}

func (in *Old) APILifecycleRemoved() (major, minor int) {
	return 1, 40
}

func (in *Young) APILifecycleDeprecated() (major, minor int) {
	return 1, 37
}
`;

test('the warning says since when, until when and what to use instead', () => {
  const old = parseLifecycles(SOURCE).get('Old') ?? {};
  assert.equal(
    deprecationWarning(old, 'v1 Old', 'v1.36.3'),
    'v1 Old is deprecated in v1.33+, unavailable in v1.40+; use new.k8s.io/v1 New',
  );
  assert.equal(
    deprecationWarning({ deprecated: [1, 19] }, 'v1 Old', 'v1.36.3'),
    'v1 Old is deprecated in v1.19+',
  );
});

test('there is none for what a later release deprecates, or none does', () => {
  assert.equal(
    deprecationWarning(parseLifecycles(SOURCE).get('Young') ?? {}, 'v1 Young', 'v1.36.3'),
    undefined,
  );
  assert.equal(deprecationWarning({}, 'v1 Pod', 'v1.36.3'), undefined);
});
