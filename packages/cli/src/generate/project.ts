import { readFile } from 'node:fs/promises';
import { UsageError } from '../command-line/exit.ts';

/** What package.json in the current folder says. */
export interface Project {
  readonly name: string | undefined;
  readonly version: string;
  readonly description: string;
}

const NAME = /^[a-z]([-a-z0-9]{0,48}[a-z0-9])?$/;

/** Nothing is required: flags may say the rest. */
export async function readProject(file = 'package.json'): Promise<Project> {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  // Whatever is in it, only texts are read.
  const { name, version, description } = JSON.parse(text) as Record<string, unknown>;
  const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  // A name with a scope: the operator's is the part after it.
  const own = textOf(name)?.replace(/^@[^/]*\//, '');
  return { name: own, version: textOf(version) ?? '0.1.0', description: textOf(description) ?? '' };
}

/** The operator's name: that of the flag, else that of the project. */
export function operatorName(given: string | undefined, project: Project): string {
  const name = given ?? project.name;
  if (name === undefined)
    throw new UsageError('--name NAME is missing, and there is no package.json with a name in this folder');
  if (!NAME.test(name))
    throw new UsageError(`--name must be lower-case letters, digits and dashes, but it is "${name}"`);
  return name;
}
