import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeYamlDocuments, isAlreadyExists, isConditionTrue } from '@windlass/apimachinery';
import { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import type { Client, DynamicObject } from '@windlass/client';

/** Creates what the files say, as far as it is not there yet; resolves when definitions are served. */
export async function applyManifests(
  client: Client,
  folder: string,
  files: readonly string[],
): Promise<void> {
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    for (const { value } of decodeYamlDocuments(text)) {
      const object = value as unknown as DynamicObject & { apiVersion: string; kind: string };
      const [version = '', group = ''] = object.apiVersion.split('/').reverse();
      const kind = client.resource<DynamicObject>({ group, version, kind: object.kind });
      const { namespace, name = '' } = object.metadata ?? {};
      const resource = namespace === undefined ? kind : kind.namespace(namespace);
      await resource.create(object).catch((error: unknown) => {
        if (!isAlreadyExists(error)) throw error;
      });
      if (object.kind === 'CustomResourceDefinition') await established(client, name);
    }
  }
}

async function established(client: Client, name: string): Promise<void> {
  const definitions = client.resource(CustomResourceDefinition);
  while (!isConditionTrue((await definitions.get(name)).status?.conditions ?? [], 'Established'))
    await new Promise((resolve) => setImmediate(resolve));
}
