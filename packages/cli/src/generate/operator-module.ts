import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { definitionFileName, definitionsIn } from '@windlass/codegen';
import { type Webhook, webhooksIn } from '@windlass/runtime';
import { UsageError } from '../command-line/exit.ts';

/** What modules say about an operator. */
export interface OperatorParts {
  readonly definitions: readonly CustomResourceDefinition[];
  readonly webhooks: readonly Webhook[];
}

/** @throws UsageError that names a module that cannot be imported, or exports no kind */
export async function loadDefinitions(module: string): Promise<CustomResourceDefinition[]> {
  const found = definitionsIn(await importModule(module), module);
  if (found.length === 0)
    throw new UsageError(`${module} exports no kind; export what defineResource returns`);
  return found;
}

/**
 * The kinds and the webhooks that the modules export, all together.
 * @throws UsageError that names a module that cannot be imported, or exports neither
 */
export async function loadOperator(modules: readonly string[]): Promise<OperatorParts> {
  const definitions = new Map<string, CustomResourceDefinition>();
  const webhooks = new Set<Webhook>();
  for (const module of modules) {
    const exports = await importModule(module);
    const [kinds, hooks] = [definitionsIn(exports, module), webhooksIn(exports)];
    if (kinds.length + hooks.length === 0)
      throw new UsageError(
        `${module} exports neither kinds nor webhooks; export what defineResource, validate, mutate and convert return`,
      );
    for (const definition of kinds) definitions.set(definitionFileName(definition), definition);
    for (const webhook of hooks) webhooks.add(webhook);
  }
  return { definitions: [...definitions.values()], webhooks: [...webhooks] };
}

async function importModule(module: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    // A module's exports are an object of whatever it exports.
    return (await import(pathToFileURL(resolve(module)).href)) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError(
      `--from ${module} cannot be imported: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
