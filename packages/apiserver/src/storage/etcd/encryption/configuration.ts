// apiserver.config.k8s.io/v1 EncryptionConfiguration: which resources are encrypted in etcd, how, and with which keys.
import { decodeYaml } from '@windlass/apimachinery';
import { fieldOf, type Random, WindlassError } from '@windlass/base';
import { KEY_BYTES, makeProvider, type Provider, type ProviderName } from './providers.ts';

/** What is done to the resources of a rule: written with the first provider, read with whichever fits. */
export interface EncryptionRule {
  /** `secrets`, `configmaps`, `foos.example.com`, `*.apps`, `*.*`. */
  readonly resources: readonly string[];
  /** Undefined stands for `identity`: as it is. */
  readonly providers: readonly (Provider | undefined)[];
}

/** The configuration cannot be used, and why. It names no key's value. */
export class EncryptionConfigurationError extends WindlassError {
  constructor(problem: string, cause?: unknown) {
    super(`the encryption configuration ${problem}`, { code: 'ENCRYPTION_CONFIGURATION', cause });
  }
}

/** @throws EncryptionConfigurationError */
export function parseEncryptionConfiguration(text: string, random: Random): EncryptionRule[] {
  let configuration: unknown;
  try {
    configuration = decodeYaml(text).value;
  } catch (error) {
    throw new EncryptionConfigurationError('is neither YAML nor JSON', error);
  }
  if (
    fieldOf(configuration, 'kind') !== 'EncryptionConfiguration' ||
    fieldOf(configuration, 'apiVersion') !== 'apiserver.config.k8s.io/v1'
  )
    throw new EncryptionConfigurationError(
      'must have the apiVersion apiserver.config.k8s.io/v1 and the kind EncryptionConfiguration',
    );
  const rules = listOf(configuration, 'resources', 'resources').map((rule, index) =>
    parseRule(rule, `resources[${index}]`, random),
  );
  if (rules.length === 0) throw new EncryptionConfigurationError('names no resources');
  return rules;
}

function parseRule(rule: unknown, path: string, random: Random): EncryptionRule {
  const resources = listOf(rule, 'resources', `${path}.resources`).map((resource) => {
    if (typeof resource === 'string' && resource !== '') return resource;
    throw new EncryptionConfigurationError(`has a resource in ${path}.resources that is no name`);
  });
  const providers = listOf(rule, 'providers', `${path}.providers`).flatMap((provider, index) =>
    parseProvider(provider, `${path}.providers[${index}]`, random),
  );
  if (resources.length === 0 || providers.length === 0)
    throw new EncryptionConfigurationError(`has no resources or no providers in ${path}`);
  return { resources, providers };
}

function parseProvider(provider: unknown, path: string, random: Random): (Provider | undefined)[] {
  const names = typeof provider === 'object' && provider !== null ? Object.keys(provider) : [];
  const [name = ''] = names;
  if (names.length !== 1) throw new EncryptionConfigurationError(`must have exactly one provider in ${path}`);
  if (name === 'identity') return [undefined];
  if (!isProviderName(name))
    throw new EncryptionConfigurationError(
      `has the provider "${name}" in ${path}; aescbc, aesgcm, secretbox and identity can be used`,
    );
  const keys = listOf(fieldOf(provider, name), 'keys', `${path}.${name}.keys`);
  if (keys.length === 0) throw new EncryptionConfigurationError(`has no keys in ${path}.${name}`);
  return keys.map((key, index) =>
    makeProvider(name, parseKey(key, name, `${path}.${name}.keys[${index}]`), random),
  );
}

function parseKey(key: unknown, provider: ProviderName, path: string): { name: string; secret: Buffer } {
  const name = fieldOf(key, 'name');
  const text = fieldOf(key, 'secret');
  if (typeof name !== 'string' || name === '' || name.includes(':'))
    throw new EncryptionConfigurationError(`needs a name without colons in ${path}.name`);
  const secret = typeof text === 'string' ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  const lengths = KEY_BYTES[provider];
  if (!lengths.includes(secret.length))
    throw new EncryptionConfigurationError(
      `needs ${lengths.join(', ')} bytes in base64 in ${path}.secret, but there are ${secret.length}`,
    );
  return { name, secret };
}

function isProviderName(name: string): name is ProviderName {
  return Object.hasOwn(KEY_BYTES, name);
}

function listOf(object: unknown, field: string, path: string): unknown[] {
  const list = fieldOf(object, field) ?? [];
  if (Array.isArray(list)) return list;
  throw new EncryptionConfigurationError(`must have a list in ${path}`);
}
