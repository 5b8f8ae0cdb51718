import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { generateCrdsCommand } from './crds-command.ts';
import { generateTypesCommand } from './types-command.ts';

const HELP = `windlass generate: code and manifests for custom resources

Usage: windlass generate types   TypeScript from CustomResourceDefinitions
       windlass generate crds    CustomResourceDefinitions from TypeScript

windlass generate types --help and windlass generate crds --help say more.
`;

export const generateCommand: Command = {
  name: 'generate',
  summary: 'code and manifests for custom resources',
  help: HELP,
  subcommands: [generateTypesCommand, generateCrdsCommand],
  run([what]) {
    throw new UsageError(
      what === undefined
        ? 'say what to generate: windlass generate types, or windlass generate crds'
        : `there is no "windlass generate ${what}"; there are types and crds`,
    );
  },
};
