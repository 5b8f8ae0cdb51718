import { EXIT_OK, UsageError } from '../exit.ts';
import type { Terminal } from '../terminal.ts';
import { generateCrds } from './crds-command.ts';
import { generateTypes } from './types-command.ts';

const HELP = `windlass generate: code and manifests for custom resources

Usage: windlass generate types   TypeScript from CustomResourceDefinitions
       windlass generate crds    CustomResourceDefinitions from TypeScript

windlass generate types --help and windlass generate crds --help say more.
`;

export async function generate(
  args: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const [what, ...rest] = args;
  switch (what) {
    case 'types':
      return generateTypes(rest, terminal, signal);
    case 'crds':
      return generateCrds(rest, terminal, signal);
    case 'help':
    case '--help':
    case '-h':
      terminal.out(HELP);
      return EXIT_OK;
    case undefined:
      throw new UsageError('say what to generate: windlass generate types, or windlass generate crds');
    default:
      throw new UsageError(`there is no "windlass generate ${what}"; there are types and crds`);
  }
}
