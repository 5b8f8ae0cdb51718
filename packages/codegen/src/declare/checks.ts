import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';

const GROUP = /^([a-z0-9]([-a-z0-9]*[a-z0-9])?\.)+[a-z]([-a-z0-9]*[a-z0-9])?$/;
const LOWER_NAME = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const PLAIN_PATH = /^(\.[A-Za-z_][\w-]*)+$/;

/** Names that a server would refuse, or that nobody would find again. */
export function checkNames(group: string, version: string, names: CustomResourceDefinitionNames): void {
  check('group', group, GROUP, 'a domain, such as example.com');
  check('version', version, /^v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?$/, 'a version, such as v1 or v1alpha1');
  check('kind', names.kind, /^[A-Z][A-Za-z0-9]*$/, 'a name in CamelCase');
  const lower = 'lower-case letters, digits and dashes';
  check('plural', names.plural, LOWER_NAME, lower);
  check('singular', names.singular ?? '', LOWER_NAME, lower);
  for (const shortName of names.shortNames ?? []) check('a short name', shortName, LOWER_NAME, lower);
  for (const category of names.categories ?? []) check('a category', category, LOWER_NAME, lower);
}

function check(option: string, value: string, pattern: RegExp, expected: string): void {
  if (!pattern.test(value))
    throw new InvalidDeclarationError(`${option} must be ${expected}, but it is ${JSON.stringify(value)}`);
}

/** Paths that lead nowhere: a server takes most of them, and then shows nothing. */
export function checkPaths(
  kind: string,
  schema: JSONSchemaProps,
  version: Omit<CustomResourceDefinitionVersion, 'storage'>,
): void {
  for (const { name, jsonPath } of version.additionalPrinterColumns ?? [])
    checkPath(`${kind}: column ${JSON.stringify(name)}`, schema, jsonPath);
  for (const { jsonPath } of version.selectableFields ?? [])
    checkPath(`${kind}: a selectable field`, schema, jsonPath);
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = version.subresources?.scale ?? {};
  for (const path of [specReplicasPath, statusReplicasPath, labelSelectorPath])
    if (path !== undefined) checkPath(`${kind}: scale`, schema, path);
}

/** Paths with brackets and filters are the server's to judge. */
function checkPath(what: string, root: JSONSchemaProps, path: string): void {
  if (!path.startsWith('.'))
    throw new InvalidDeclarationError(
      `${what} has the path ${JSON.stringify(path)}; it must begin with a dot, such as .spec.size`,
    );
  if (!PLAIN_PATH.test(path) || path.startsWith('.metadata.')) return;
  let schema = root;
  let seen = '';
  for (const part of path.slice(1).split('.')) {
    if (schema['x-kubernetes-preserve-unknown-fields'] === true) return;
    const { properties = {}, additionalProperties } = schema;
    const next = Object.hasOwn(properties, part) ? properties[part] : additionalProperties;
    if (next === undefined || typeof next === 'boolean') {
      const there = Object.keys(properties).join(', ') || 'no fields';
      throw new InvalidDeclarationError(
        `${what} has the path ${path}, but ${seen === '' ? 'the object' : seen} has no field ${part}; it has ${there}`,
      );
    }
    schema = next;
    seen += `.${part}`;
  }
}
