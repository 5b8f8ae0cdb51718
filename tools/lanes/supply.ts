// `npm run test:supply`: where what we use comes from. The lock files are held to the rules of tools/supply: licences,
// no scripts at installation, integrity, and no more for users than is expected. Where the registry can be asked, what
// is installed must have its signatures.
import { readFile } from 'node:fs/promises';
import { SKIP_EXIT_CODE } from '../../tests/real/harness/needs.ts';
import { repositoryRoot } from '../../tests/real/harness/paths.ts';
import { runProgram } from '../run/program.ts';
import { auditSignatures } from '../supply/audit-signatures.ts';
import { EXPECTED_RUNTIME } from '../supply/expected.ts';
import { checkLock } from '../supply/lock-rules.ts';
import type { LockedPackages } from '../supply/locked-packages.ts';

const LOCKS: readonly (readonly [path: string, expected: readonly string[]])[] = [
  ['package-lock.json', EXPECTED_RUNTIME],
  ['tools/package-check/package-lock.json', []],
];
const AUDIT_LIMIT_MS = 90_000;
const log = (line: string): void => console.log(`test:supply: ${line}`);

async function checkLocks(): Promise<{ checked: number; problems: number }> {
  const result = { checked: 0, problems: 0 };
  for (const [path, expected] of LOCKS) {
    const text = await readFile(`${repositoryRoot}/${path}`, 'utf8').catch(() => undefined);
    if (text === undefined) {
      log(`not checked: ${path}, which is not there`);
      continue;
    }
    // The file is npm's.
    const { packages } = JSON.parse(text) as { packages: LockedPackages };
    const { problems, runtime, tools, unknown } = checkLock(packages, expected);
    result.checked++;
    result.problems += problems.length;
    for (const problem of problems) log(`${path}: ${problem}`);
    const elsewhere =
      unknown === 0 ? '' : `; of ${unknown} of these, for other platforms, only the version is known`;
    log(`${path}: ${runtime} packages for users, ${tools} for tools${elsewhere}`);
  }
  return result;
}

async function main(signal: AbortSignal): Promise<number> {
  const locks = await checkLocks();
  const audit = await auditSignatures(repositoryRoot, AUDIT_LIMIT_MS, signal);
  if (audit.is === 'bad') for (const problem of audit.problems) log(problem);
  if (audit.is === 'verified') log('signatures: all as their registry made them');
  if (audit.is === 'not-checked') log(`signatures: not checked: ${audit.reason}`);
  if (locks.checked === 0 && audit.is === 'not-checked') return SKIP_EXIT_CODE;
  const passed = locks.problems === 0 && audit.is !== 'bad';
  log(passed ? 'passed' : 'FAILED');
  return passed ? 0 : 1;
}

await runProgram(main);
