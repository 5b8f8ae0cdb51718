// What an operator's project publishes beside its program, read from its Go module: nothing of it is kept here.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { applyJsonPatch, decodeYaml, decodeYamlDocuments, type KubeObject } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { WebhookConfiguration } from '@windlass/simulation';
import { needGo, run } from '../real/harness/needs.ts';
import { repositoryRoot } from '../real/harness/paths.ts';

/** The operator's module, pinned by the go.mod of a folder below tools/. */
export interface PublishedOperator {
  readonly folder: string;
  readonly module: string;
  /** Files of custom resource definitions, in the module. */
  readonly definitions: readonly string[];
  /** The file of its webhook configurations. */
  readonly webhooks: string;
  /** What its own deployment changes in them: a JSON patch in YAML for each kind. */
  readonly patches: Readonly<Record<WebhookConfiguration['kind'], string>>;
}

/** What the API server must know of an operator. */
export interface OperatorManifests {
  readonly definitions: readonly CustomResourceDefinition[];
  readonly webhooks: readonly WebhookConfiguration[];
}

/** Downloads the module where Go's cache does not have it. */
export async function manifestsOf(operator: PublishedOperator): Promise<OperatorManifests> {
  const module = await moduleFolder(operator);
  const text = (file: string): Promise<string> => readFile(join(module, file), 'utf8');
  const objects = async <T extends KubeObject>(file: string): Promise<T[]> =>
    // The file is said to have this kind, and the API server looks at every field when it is created.
    decodeYamlDocuments(await text(file)).map(({ value }) => value as unknown as T);
  const definitions = await Promise.all(
    operator.definitions.map((file) => objects<CustomResourceDefinition>(file)),
  );
  const webhooks = await objects<WebhookConfiguration>(operator.webhooks);
  const patched = webhooks.map(async (configuration) => {
    const patch = decodeYaml(await text(operator.patches[configuration.kind])).value;
    return applyJsonPatch(configuration, patch);
  });
  return { definitions: definitions.flat(), webhooks: await Promise.all(patched) };
}

async function moduleFolder({ folder, module }: PublishedOperator): Promise<string> {
  const go = await needGo(module);
  const { stdout } = await run(go, ['mod', 'download', '-json', module], {
    cwd: join(repositoryRoot, 'tools', folder),
  });
  // Go's own description of a module.
  const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
  return Dir;
}
