import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeYamlDocuments } from '@windlass/apimachinery';
import { describe, toError, WindlassError } from '@windlass/base';
import type { DynamicObject } from '../client.ts';
import type { Manifest } from './manifest.ts';

/** A file with manifests, or a folder whose `.yaml`, `.yml` and `.json` files are read in the order of their names. */
export interface ManifestFile {
  readonly file: string;
}

/** YAML or JSON text of any number of documents, a file or a folder, or an object. A `List` stands for its items. */
export type ManifestSource = string | ManifestFile | object;

/** A manifest cannot be read, or names no object. Nothing was applied. */
export class ManifestError extends WindlassError {
  constructor(message: string, cause?: unknown) {
    super(message, { code: 'MANIFEST_INVALID', cause });
  }
}

/** @throws ManifestError for the first that is wrong */
export async function readManifests(sources: readonly ManifestSource[]): Promise<Manifest[]> {
  const manifests: Manifest[] = [];
  for (const [index, source] of sources.entries()) {
    const from = `documents[${index}]`;
    if (typeof source === 'string') addText(manifests, source, from);
    else if (isFile(source)) await addFile(manifests, source.file);
    else addObject(manifests, source, from);
  }
  refuseTwins(manifests);
  return manifests;
}

function isFile(source: object): source is ManifestFile {
  return 'file' in source && typeof source.file === 'string' && !('kind' in source);
}

async function addFile(manifests: Manifest[], path: string): Promise<void> {
  try {
    if (!(await stat(path)).isDirectory()) {
      addText(manifests, await readFile(path, 'utf8'), path);
      return;
    }
    for (const name of (await readdir(path)).sort())
      if (/\.(?:ya?ml|json)$/.test(name)) await addFile(manifests, join(path, name));
  } catch (error) {
    if (error instanceof ManifestError) throw error;
    throw new ManifestError(`the manifests in ${path} cannot be read: ${toError(error).message}`, error);
  }
}

function addText(manifests: Manifest[], text: string, from: string): void {
  let documents: readonly { readonly value: unknown }[];
  try {
    documents = decodeYamlDocuments(text);
  } catch (error) {
    throw new ManifestError(`${from}: ${toError(error).message}`, error);
  }
  for (const [index, { value }] of documents.entries()) {
    // A document of comments alone.
    if (value === null) continue;
    addObject(manifests, value, documents.length === 1 ? from : `${from}, document ${index + 1}`);
  }
}

function addObject(manifests: Manifest[], value: unknown, from: string): void {
  const { apiVersion, kind, metadata, items } = fieldsOf(value, from);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || apiVersion === '' || kind === '')
    throw new ManifestError(
      `${from}: apiVersion and kind must be texts, but they are ${describe(apiVersion)} and ${describe(kind)}`,
    );
  if (apiVersion === 'v1' && kind === 'List' && Array.isArray(items)) {
    for (const [index, item] of items.entries()) addObject(manifests, item, `${from}, items[${index}]`);
    return;
  }
  const { name, namespace } = fieldsOf(metadata, `${from}, metadata`);
  if (typeof name !== 'string' || name === '')
    throw new ManifestError(
      `${from}: metadata.name of the ${kind} must be a text, but it is ${describe(name)}`,
    );
  if (namespace !== undefined && typeof namespace !== 'string')
    throw new ManifestError(`${from}: metadata.namespace must be a text, but it is ${describe(namespace)}`);
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  // It has an apiVersion, a kind and metadata with a name. The rest is for the server to judge.
  const object = value as DynamicObject;
  manifests.push({ group, version, kind, name, namespace, object, from });
}

function fieldsOf(value: unknown, from: string): Readonly<Record<string, unknown>> {
  if (isFields(value)) return value;
  throw new ManifestError(`${from} must be an object, but it is ${describe(value)}`);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Two that say different things of one object would fight at each apply. */
function refuseTwins(manifests: readonly Manifest[]): void {
  const seen = new Map<string, Manifest>();
  for (const manifest of manifests) {
    const { group, kind, namespace, name, from } = manifest;
    const key = JSON.stringify([group, kind, namespace, name]);
    const twin = seen.get(key);
    if (twin !== undefined)
      throw new ManifestError(
        `the ${kind} ${name} is there twice, in ${twin.from} and in ${from}; remove one of them`,
      );
    seen.set(key, manifest);
  }
}
