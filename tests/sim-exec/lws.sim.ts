// The LeaderWorkerSet operator, sigs.k8s.io/lws, under Sieve's three patterns.
import { describe, test } from 'node:test';
import { runExec } from '@windlass/simulation';
import { ensureGoTool } from '../real/harness/go-tool.ts';
import lws, { madeOnce } from './lws.ts';
import { breaks, operatorTests, titlesOf } from './operator-tests.ts';
import { kept } from './results.ts';

const TITLE = 'the LeaderWorkerSet operator';

async function commandOf(): Promise<string> {
  const program = await ensureGoTool({
    folder: 'lws',
    module: 'sigs.k8s.io/lws',
    package: 'sigs.k8s.io/lws/cmd',
  });
  return `${program} --config={folder}/config.yaml`;
}

operatorTests(TITLE, lws, { commandOf });

describe(`${TITLE} is killed after its first write`, () => {
  // It has made a revision and not the stateful set that would name it, so it makes another one, which nobody deletes
  // before the template changes.
  for (const title of titlesOf('a revision is left over'))
    test(title, async () => {
      const outcome = await runExec(madeOnce.options, {
        command: await commandOf(),
        seed: 1,
        plan: [{ kind: 'kill', process: 'exec', when: { by: 'exec', write: 1 }, downMs: 200 }],
        traced: true,
      });
      breaks(
        await kept(TITLE, 'killed after its first write', outcome),
        'there is one revision, which is of the set that is there',
        /there are 2 revisions/,
      );
    });
});
