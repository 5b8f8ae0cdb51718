import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeYaml, decodeYamlDocuments, type KubeObject } from '@windlass/apimachinery';
import { isRecord } from '@windlass/base';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../command-line/exit.ts';
import { parseFlags } from '../command-line/parse-flags.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { CHART_MARK, type ChartOptions, chartFiles } from './chart-files.ts';
import { OutputFolder } from './output-folder.ts';
import { operatorName, readProject } from './project.ts';
import { writeOrCheck } from './report.ts';

const HELP = `windlass generate chart: a Helm chart of an operator

Usage: windlass generate chart [flags]

Makes a chart of the manifests that DIR/kustomization.yaml names. Users may set the image, the replicas, the
resources, more arguments, and where the pods run; the namespace is that of the release. Definitions stay when
the chart is removed. windlass generate manifests writes the manifests.

Flags:
  --from DIR        the manifests                  (default manifests)
  --name NAME       of the chart and the operator  (default that of package.json)
  --namespace NAME  the one in the manifests       (default its name)
  --output DIR      where the chart goes           (default chart)
  --check           write nothing; fail if DIR is not what it would be

Examples:
  windlass generate chart
  helm install web ./chart --namespace web --create-namespace
`;

async function generateChart(args: readonly string[], terminal: Terminal): Promise<number> {
  const { values } = parse(args);
  const { from = 'manifests', output = 'chart', check = false } = values;
  const project = await readProject();
  const name = operatorName(values.name, project);
  const files = chartFiles({
    name,
    version: project.version,
    description: project.description,
    namespace: values.namespace ?? name,
    manifests: await manifestsIn(from),
  });
  const folder = new OutputFolder(output, new RegExp(`^${CHART_MARK}`));
  return writeOrCheck(folder, files, { command: 'generate chart', output, check }, terminal);
}

async function manifestsIn(folder: string): Promise<ChartOptions['manifests']> {
  const file = join(folder, 'kustomization.yaml');
  const { value } = decodeYaml(await readText(file, 'run windlass generate manifests first'));
  const resources: unknown = isRecord(value) ? value['resources'] : undefined;
  if (!Array.isArray(resources) || resources.length === 0)
    throw new UsageError(`${file} has no resources; run windlass generate manifests first`);
  return Promise.all(
    resources.map(async (path: unknown) => {
      if (typeof path !== 'string') throw new UsageError(`${file} has a resource that is no path`);
      const text = await readText(join(folder, path), `${file} names it`);
      // Manifests that people apply.
      const objects = decodeYamlDocuments(text).map((document) => document.value as unknown as KubeObject);
      return { path, objects };
    }),
  );
}

async function readText(file: string, advice: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => {
    throw new UsageError(`${file} cannot be read; ${advice}`);
  });
}

function parse(args: readonly string[]) {
  return parseFlags('windlass generate chart --help', args, {
    options: {
      from: { type: 'string' },
      name: { type: 'string' },
      namespace: { type: 'string' },
      output: { type: 'string' },
      check: { type: 'boolean' },
    },
  });
}

export const generateChartCommand: Command = {
  name: 'chart',
  summary: 'a Helm chart of an operator',
  help: HELP,
  run: generateChart,
};
