// `npm audit signatures`: whether what is installed was signed by its registry, where the registry signs.
import { execFile } from 'node:child_process';

export type AuditOutcome =
  | { readonly is: 'verified' }
  | { readonly is: 'bad'; readonly problems: readonly string[] }
  /** Nothing can be said: no network, or a registry that has no keys. */
  | { readonly is: 'not-checked'; readonly reason: string };

interface Unsigned {
  readonly name: string;
  readonly version: string;
}

/** What npm prints with --json: the packages that are not right, or an error. */
interface AuditJson {
  readonly invalid?: readonly Unsigned[];
  readonly missing?: readonly Unsigned[];
  readonly error?: { readonly code?: string; readonly summary?: string };
}

export function outcomeOf(stdout: string, stderr: string): AuditOutcome {
  let json: AuditJson;
  try {
    // What npm documents; where it prints something else, the fields are missing.
    json = JSON.parse(stdout) as AuditJson;
  } catch {
    const line = stderr.split('\n').find((each) => each.startsWith('npm error')) ?? 'npm printed no result';
    return { is: 'not-checked', reason: line.replace('npm error ', '') };
  }
  const { invalid, missing, error } = json;
  if (error !== undefined)
    return { is: 'not-checked', reason: error.summary ?? error.code ?? 'npm reported an error' };
  if (invalid === undefined || missing === undefined)
    return { is: 'not-checked', reason: 'npm printed a result that this lane does not know' };
  const problems = [
    ...invalid.map((each) => `${each.name} ${each.version} has a signature that is not its registry's`),
    ...missing.map((each) => `${each.name} ${each.version} has no signature, though its registry signs`),
  ];
  return problems.length === 0 ? { is: 'verified' } : { is: 'bad', problems };
}

export function auditSignatures(cwd: string, limitMs: number, signal: AbortSignal): Promise<AuditOutcome> {
  return new Promise((resolve) => {
    const args = ['audit', 'signatures', '--json', '--fetch-retries=0'];
    execFile('npm', args, { cwd, signal, timeout: limitMs, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      if (error?.killed === true)
        resolve({ is: 'not-checked', reason: `npm had no answer after ${limitMs / 1000} s` });
      else if (error?.code === 'ENOENT') resolve({ is: 'not-checked', reason: 'there is no npm' });
      else resolve(outcomeOf(stdout, stderr));
    });
  });
}
