// Weakness 32: docs that drift from the program. Every command line in them is called here.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { WindlassError } from '@windlass/base';
import { RecordingTerminal } from '../testing/recording-terminal.ts';
import { kubectlPlugin } from './kubectl-plugin.ts';

const root = new URL('../../../../', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'windlass-docs-'));
const file = join(folder, 'drives.yaml');
writeFileSync(file, 'version: v1\nnodes: [{name: a, drives: [{id: "8:0$a", name: sda, select: "yes"}]}]\n');
after(() => rmSync(folder, { recursive: true }));

/** It got as far as the cluster, so the call was right. */
class ReachedError extends WindlassError {
  constructor() {
    super('reached', { code: 'REACHED' });
  }
}

describe('weakness 32: the docs name commands that work', () => {
  for (const page of [
    'docs/guides/directpv.md',
    'packages/directpv/README.md',
    'deploy/README.md',
    'README.md',
  ]) {
    const text = readFileSync(new URL(page, root), 'utf8');
    // In code only: in a block of its own, or between backquotes.
    const commands = [...text.matchAll(/(?:^|`)(?:kubectl|windlass) directpv ([^`\n]+)/gm)].map(
      ([, line = '']) => line,
    );
    for (const line of new Set(commands))
      it(`${page}: kubectl directpv ${line}`, async () => {
        const args = line.split(' ').map((word) => (word === 'drives.yaml' ? file : word));
        const terminal = new RecordingTerminal();
        const code = await kubectlPlugin(args, terminal, new AbortController().signal, () =>
          Promise.reject(new ReachedError()),
        );
        if (code === 0) return;
        assert.equal(terminal.errors, 'kubectl directpv: reached\n');
      });
  }

  it('and the guide names every command', () => {
    const guide = readFileSync(new URL('docs/guides/directpv.md', root), 'utf8');
    for (const name of [
      'install',
      'discover',
      'init',
      'info',
      'list drives',
      'list volumes',
      'label drives',
      'cordon',
      'uncordon',
      'move',
      'clean',
      'suspend drives',
      'resume drives',
      'repair',
      'remove',
      'uninstall',
    ])
      assert.ok(guide.includes(`kubectl directpv ${name}`), name);
  });
});
