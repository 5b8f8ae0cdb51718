import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

/** A directory on a disk that is removed when the test ends. */
export function temporaryDirectory(context: TestContext): string {
  return removedAfter(context, tmpdir());
}

/** As `temporaryDirectory`, in memory where there is such a thing: for tests that do not wait for a disk. */
export function memoryDirectory(context: TestContext): string {
  const memory = '/dev/shm';
  const there = statSync(memory, { throwIfNoEntry: false })?.isDirectory() === true;
  return removedAfter(context, there ? memory : tmpdir());
}

function removedAfter(context: TestContext, parent: string): string {
  const directory = mkdtempSync(join(parent, 'windlass-store-'));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
