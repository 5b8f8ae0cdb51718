import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConformancePrograms } from './programs.ts';
import { readReport } from './report.ts';
import type { Spec } from './spec.ts';

export interface SuiteOptions {
  readonly programs: ConformancePrograms;
  readonly kubeconfig: string;
  /** The folder that takes the report. */
  readonly folder: string;
  /** Regular expressions in Go's syntax; a spec must match one of them. */
  readonly focus: readonly string[];
  /** As `focus`: specs that match one of them are left out. */
  readonly skip: readonly string[];
  readonly processes: number;
  readonly signal: AbortSignal;
}

const REPORT = 'report.json';
const TIMEOUT = '3h';

/** Runs a part of the suite. A spec that fails is no error; a suite that does not run is. */
export async function runSuite(options: SuiteOptions): Promise<Spec[]> {
  const { programs, kubeconfig, folder, focus, skip, processes, signal } = options;
  const report = join(folder, REPORT);
  await rm(report, { force: true });
  const args = [
    `--procs=${processes}`,
    `--timeout=${TIMEOUT}`,
    `--json-report=${REPORT}`,
    `--output-dir=${folder}`,
    '--keep-going',
    '--no-color',
    '--succinct',
    '--silence-skips',
    ...focus.map((text) => `--focus=${text}`),
    ...skip.map((text) => `--skip=${text}`),
    programs.suite,
    '--',
    `--kubeconfig=${kubeconfig}`,
    '--provider=skeleton',
    // The suite would print all pods and events of a failed spec, and keep its namespace.
    '--dump-logs-on-failure=false',
    '--disable-log-dump=true',
  ];
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(programs.runner, args, {
      cwd: folder,
      signal,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.on('error', reject);
    child.on('close', resolve);
  });
  const text = await readFile(report, 'utf8').catch(() => undefined);
  if (text === undefined)
    throw new Error(`the suite ended with ${code} and wrote no report; its messages stand above`);
  return readReport(text);
}

/** A regular expression in Go's syntax for one spec by its name. Ginkgo puts the name of the suite before it. */
export function wholeName(name: string): string {
  return ` ${name.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&')}$`;
}
