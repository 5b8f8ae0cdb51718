// What GitHub reads: each file is YAML, and the commands in it exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { decodeYaml } from '@windlass/apimachinery';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const BUILT_IN = new Set(['ci', 'test', 'publish']);

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly needs?: string; readonly steps: readonly Step[] }>>;
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
}

for (const path of globSync('.github/**/*.yml', { cwd: root }))
  describe(path, () => {
    // GitHub's own schema holds the rest.
    const value = decodeYaml(read(path)).value as unknown as Workflow;

    it('is YAML', () => assert.equal(typeof value, 'object'));
    if (!path.includes('workflows')) return;

    it('asks for no more than it needs', () => assert.deepEqual(value.permissions, { contents: 'read' }));

    it('runs what there is', () => {
      const steps = Object.values(value.jobs).flatMap((job) => job.steps);
      const commands = steps.flatMap(({ run }) => (run === undefined ? [] : [run]));
      assert.ok(commands.length > 0);
      for (const command of commands) {
        for (const [, name = ''] of command.matchAll(/npm (?:run )?([\w:]+)/g))
          assert.ok(BUILT_IN.has(name) || name in scripts, command);
        for (const [file] of command.matchAll(/(?:tools|\.ci)\/[\w./-]+/g))
          assert.ok(existsSync(new URL(file, root)), command);
      }
      for (const { uses } of steps) if (uses !== undefined) assert.match(uses, /@v\d+$/);
      for (const { needs } of Object.values(value.jobs))
        if (needs !== undefined) assert.ok(needs in value.jobs);
    });
  });
