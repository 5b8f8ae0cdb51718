// Which secrets a storage class names for which calls. A class may use templates: `${pvc.namespace}`.
import { validateDns1123Label, validateDns1123Subdomain } from '@windlass/apimachinery';
import type { Secret } from '@windlass/apimachinery/api/core/v1';
import { Secret as SecretType } from '@windlass/apimachinery/api/core/v1';
import type { Client } from '@windlass/client';
import { SidecarError } from './errors.ts';

export const PARAMETER_PREFIX = 'csi.storage.k8s.io/';

export interface SecretReference {
  readonly name: string;
  readonly namespace: string;
}

export type SecretUse =
  | 'provisioner'
  | 'controller-publish'
  | 'node-stage'
  | 'node-publish'
  | 'controller-expand'
  | 'node-expand'
  | 'controller-modify';

/** The names before they were prefixed, which old classes still have. */
const DEPRECATED: Partial<Record<SecretUse, string>> = {
  provisioner: 'csiProvisionerSecret',
  'controller-publish': 'csiControllerPublishSecret',
  'node-stage': 'csiNodeStageSecret',
  'node-publish': 'csiNodePublishSecret',
};

const prefixed = (use: SecretUse | undefined): string =>
  `${PARAMETER_PREFIX}${use === undefined ? '' : `${use}-`}secret`;

/** Every key of a class that names a secret. */
export const isSecretParameter = (key: string): boolean =>
  /^csi\.storage\.k8s\.io\/(?:(?:provisioner|controller-publish|node-stage|node-publish|controller-expand|node-expand|controller-modify)-)?secret-(?:name|namespace)$/.test(
    key,
  );

type Parameters = Readonly<Record<string, string>>;
/** A claim, or what a volume says of the one that it was made for. */
interface Claim {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
}

/**
 * The secret for this use, or the class's default one. @throws SidecarError for what cannot be resolved
 *
 * @param withAnnotations whether the claim's annotations may take part, which its owner writes
 */
export function secretReference(
  use: SecretUse,
  parameters: Parameters,
  volumeName: string,
  claim: Claim,
  withAnnotations = true,
): SecretReference | undefined {
  const templates = templatesOf(parameters, use) ?? templatesOf(parameters, undefined);
  if (templates === undefined) return undefined;
  const { name, namespace, annotations = {} } = claim.metadata;
  const common = { 'pv.name': volumeName, 'pvc.namespace': namespace };
  const ofClaim: Record<string, string> = { ...common, 'pvc.name': name };
  if (withAnnotations)
    for (const [key, value] of Object.entries(annotations)) ofClaim[`pvc.annotations['${key}']`] = value;
  const resolved = {
    namespace: resolveTemplate(templates.namespace, common),
    name: resolveTemplate(templates.name, ofClaim),
  };
  if (validateDns1123Label(resolved.namespace).length > 0)
    throw new SidecarError(`"${templates.namespace}" gives "${resolved.namespace}", which is no namespace`);
  if (validateDns1123Subdomain(resolved.name).length > 0)
    throw new SidecarError(`"${templates.name}" gives "${resolved.name}", which is no name of a secret`);
  return resolved;
}

function templatesOf(parameters: Parameters, use: SecretUse | undefined): SecretReference | undefined {
  const find = (suffix: string, deprecatedSuffix: string): string | undefined => {
    const old = use === undefined ? undefined : DEPRECATED[use];
    const values = [
      parameters[`${prefixed(use)}-${suffix}`],
      old === undefined ? undefined : parameters[`${old}${deprecatedSuffix}`],
    ].filter((value) => value !== undefined);
    if (values.length > 1)
      throw new SidecarError(`the ${use} secret is named twice, with and without ${PARAMETER_PREFIX}`);
    return values[0];
  };
  const name = find('name', 'Name');
  const namespace = find('namespace', 'Namespace');
  if (name === undefined && namespace === undefined) return undefined;
  if (!name || !namespace)
    throw new SidecarError(`the ${use ?? 'default'} secret needs both a name and a namespace`);
  return { name, namespace };
}

/** @throws SidecarError for a token that has no value */
export function resolveTemplate(template: string, values: Parameters): string {
  return template.replace(/\$\{([^}]*)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => {
    const token = braced ?? bare ?? '';
    const value = Object.hasOwn(values, token) ? values[token] : undefined;
    if (value === undefined) throw new SidecarError(`"${template}" has the unknown token "${token}"`);
    return value;
  });
}

/** What is in the secret, as drivers want it: text. Read from the server, and never kept. */
export async function readSecret(
  client: Client,
  reference: SecretReference | undefined,
  signal: AbortSignal,
): Promise<Record<string, string>> {
  if (reference === undefined) return {};
  const secret: Secret = await client
    .resource(SecretType)
    .namespace(reference.namespace)
    .get(reference.name, { signal });
  return Object.fromEntries(
    Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
  );
}
