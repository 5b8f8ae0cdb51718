import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { generateChartCommand } from './chart-command.ts';
import { generateCrdsCommand } from './crds-command.ts';
import { generateManifestsCommand } from './manifests-command.ts';
import { generateTypesCommand } from './types-command.ts';

const HELP = `windlass generate: code and manifests for custom resources and operators

Usage: windlass generate types      TypeScript from CustomResourceDefinitions
       windlass generate crds       CustomResourceDefinitions from TypeScript
       windlass generate manifests  all that an operator needs in a cluster
       windlass generate chart      the same as a Helm chart

windlass generate types --help and its like say more.
`;

const SUBCOMMANDS = [
  generateTypesCommand,
  generateCrdsCommand,
  generateManifestsCommand,
  generateChartCommand,
];

export const generateCommand: Command = {
  name: 'generate',
  summary: 'code and manifests for custom resources and operators',
  help: HELP,
  subcommands: SUBCOMMANDS,
  run([what]) {
    const names = SUBCOMMANDS.map(({ name }) => name);
    throw new UsageError(
      what === undefined
        ? 'say what to generate: windlass generate types, crds, manifests or chart'
        : `there is no "windlass generate ${what}"; there are ${names.join(', ')}`,
    );
  },
};
