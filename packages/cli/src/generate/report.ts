import { EXIT_FAILED, EXIT_OK } from '../command-line/exit.ts';
import type { Terminal } from '../command-line/terminal.ts';
import type { OutputFile, OutputFolder } from './output-folder.ts';

export interface ReportOptions {
  readonly command: string;
  /** As the caller wrote it. */
  readonly output: string;
  readonly check: boolean;
}

/** Writes the files, or says how the folder differs from them. Returns the exit code. */
export async function writeOrCheck(
  folder: OutputFolder,
  files: readonly OutputFile[],
  { command, output, check }: ReportOptions,
  terminal: Terminal,
): Promise<number> {
  if (!check) {
    const { changed, missing, leftOver } = await folder.write(files);
    for (const path of [...missing, ...changed].sort()) terminal.out(`wrote ${output}/${path}\n`);
    for (const path of leftOver) terminal.out(`removed ${output}/${path}\n`);
    const isSame = changed.length + missing.length + leftOver.length === 0;
    if (isSame) terminal.out(`${output} is up to date\n`);
    return EXIT_OK;
  }
  const { changed, missing, leftOver } = await folder.compare(files);
  const problems = [
    ...changed.map((path) => `${path} differs`),
    ...missing.map((path) => `${path} is missing`),
    ...leftOver.map((path) => `${path} is no longer made`),
  ];
  if (problems.length === 0) {
    terminal.out(`${output} is up to date\n`);
    return EXIT_OK;
  }
  terminal.err(
    `windlass: ${output} is stale: ${problems.join(', ')}; run windlass ${command} again without --check\n`,
  );
  return EXIT_FAILED;
}
