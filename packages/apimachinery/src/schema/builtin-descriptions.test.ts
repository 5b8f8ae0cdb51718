import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinDescriptions } from './builtin-descriptions.ts';
import { builtinSchemas } from './builtin-schemas.ts';

const descriptions = builtinDescriptions();

test('definitions, fields and parameters have descriptions', () => {
  assert.match(descriptions.definition('io.k8s.api.core.v1.Pod'), /^Pod is a collection of containers/);
  assert.match(descriptions.field('io.k8s.api.core.v1.PodSpec', 'containers'), /^List of containers/);
  assert.match(descriptions.parameter('fieldManager'), /^fieldManager is a name/);
  assert.match(descriptions.parameter('patch fieldManager'), /required for apply requests/);
  assert.equal(descriptions.definition('a.b.C'), '');
  assert.equal(descriptions.field('io.k8s.api.core.v1.Pod', 'no'), '');
  assert.equal(descriptions.parameter('no'), '');
  const [command, container] = descriptions.connection('pods/exec');
  assert.deepEqual([command?.name, command?.type, container?.name], ['command', 'string', 'container']);
  assert.match(command?.description ?? '', /^Command is the remote command to execute/);
  assert.deepEqual(descriptions.connection('pods/no'), []);
});

test('texts that several share are those of each', () => {
  const text = descriptions.field('io.k8s.api.core.v1.Pod', 'kind');
  assert.match(text, /^Kind is a string value/);
  assert.equal(descriptions.field('io.k8s.api.apps.v1.Deployment', 'kind'), text);
});

test('the description of a string names its values', () => {
  assert.match(
    descriptions.field('io.k8s.api.core.v1.PodSpec', 'restartPolicy'),
    /Possible enum values:\n - `"Always"`\n - `"Never"`\n - `"OnFailure"`$/,
  );
});

test('almost every field of every definition has one', () => {
  const schemas = builtinSchemas();
  let fields = 0;
  let missing = 0;
  for (const name of schemas.names)
    for (const field of Object.keys(schemas.definition(name)?.properties ?? {})) {
      fields++;
      if (descriptions.field(name, field) === '') missing++;
    }
  assert.ok(fields > 3000 && missing < 150, `${missing} of ${fields}`);
});
