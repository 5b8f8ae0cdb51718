// Two sample controllers, in TypeScript and in Go, under Sieve's three patterns: stale state, unobserved state and
// intermediate state.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { execExplorer, failureText, type Plan, timelineText } from '@windlass/simulation';
import { ensureGoTool } from '../real/harness/go-tool.ts';
import { repositoryRoot } from '../real/harness/paths.ts';
import simulation from './sample-controller.ts';

const PATTERNS = ['stale-state', 'unobserved-state', 'intermediate-state'];

const commands = {
  TypeScript: async () => `node ${join(repositoryRoot, 'examples/sample-controller/main.ts')}`,
  Go: async () => {
    const program = await ensureGoTool({ folder: 'sample-controller', module: 'k8s.io/sample-controller' });
    return `${program} --kubeconfig={kubeconfig}`;
  },
};

for (const [language, commandOf] of Object.entries(commands))
  test(`the sample controller in ${language}`, async (context) => {
    const explorer = execExplorer(simulation.options, { command: await commandOf() });
    for (const pattern of PATTERNS)
      await context.test(pattern, async () => {
        const file = join(import.meta.dirname, 'plans', `${pattern}.json`);
        // The run checks every field of it.
        const plan = JSON.parse(await readFile(file, 'utf8')) as Plan;
        const outcome = await explorer.run(1, { plan, traced: true });
        assert.equal(outcome.failure, undefined, `${failureText(outcome)}${timelineText(outcome)}`);
      });
  });
