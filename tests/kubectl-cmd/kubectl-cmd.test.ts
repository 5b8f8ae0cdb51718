import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readExpected } from '../conformance/expected.ts';
import { endOfOutput } from './output.ts';
import { minorRelease, newestPatch } from './release.ts';
import { BETWEEN, chooseScripts, scriptNames } from './script-names.ts';

describe('the release of the scripts', () => {
  for (const [version, minor] of [
    ['v1.32.4-dispatcher', 'v1.32'],
    ['v1.36.0', 'v1.36'],
    ['v1.9.11+vendor', 'v1.9'],
  ] as const)
    it(`of kubectl ${version} is ${minor}`, () => assert.equal(minorRelease(version), minor));

  it('needs a version', () => assert.throws(() => minorRelease('devel'), /"devel" is not the version/));

  for (const [what, versions, newest] of [
    ['the newest patch by number', ['v1.32.2', 'v1.32.13', 'v1.32.9'], 'v1.32.13'],
    ['no preview', ['v1.32.1', 'v1.32.2-rc.0'], 'v1.32.1'],
    ['no other minor release', ['v1.3.2', 'v1.33.1', 'v1.320.1'], undefined],
  ] as const)
    it(`is ${what}`, () => assert.equal(newestPatch(versions, 'v1.32'), newest));
});

describe('the names of the scripts', () => {
  const legacy = `
function record_command() {
KUBE_JUNIT_REPORT_DIR=$(mktemp -d) record_command record_command_canary
        record_command "run_\${pkg}_tests"
  record_command run_pod_tests
    record_command run_secrets_test
  # record_command run_old_tests
  record_command run_pod_tests
`;
  const names = scriptNames(legacy);

  it('are those that the sources run, once, in their order, after what stands between them', () =>
    assert.deepEqual(names, [BETWEEN, 'run_pod_tests', 'run_secrets_test']));

  it('can be chosen by a part', () => {
    assert.deepEqual(chooseScripts(names, []), names);
    assert.deepEqual(chooseScripts(names, ['secret', 'between']), [BETWEEN, 'run_secrets_test']);
    assert.deepEqual(chooseScripts(names, ['none']), []);
  });
});

describe('the end of what a script printed', () => {
  it('has no colours, no empty lines and no more than is read', () => {
    const text = `${Array.from({ length: 100 }, (_, n) => `line ${n}`).join('\n')}\n\n\u001b[31mFAIL!\u001b[0m  \n`;
    const lines = endOfOutput(text).split('\n');
    assert.equal(lines.length, 25);
    assert.deepEqual(lines.slice(-2), ['line 99', 'FAIL!']);
  });

  it('says when the time was over', () =>
    assert.equal(endOfOutput('waiting\n', 60), 'waiting\nnot done after 60 s'));
});

it('the list of expected failures can be read', () => {
  const text = readFileSync(new URL('expected-failures.json', import.meta.url), 'utf8');
  for (const [name, reason] of readExpected(text)) assert.ok(name !== '' && reason !== '');
});
