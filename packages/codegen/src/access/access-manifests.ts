import { encodeYamlDocuments } from '@windlass/apimachinery';
import type { Access } from './access.ts';
import { policyRules } from './policy-rules.ts';
import { roleManifests } from './role-manifests.ts';
import { runtimeAccesses, type WebhookNames } from './runtime-accesses.ts';

/** For whom roles are written, and where the program runs. */
export interface AccessManifestOptions {
  /** Of the roles and the service account. */
  readonly name: string;
  /** Where the program runs. What it needs there alone goes into a Role. */
  readonly namespace: string;
  /** What its webhooks must be allowed. @default it serves none */
  readonly webhooks?: WebhookNames;
}

/** ServiceAccount, roles and bindings that allow these and what the runtime itself needs, and no more, as YAML. */
export function accessManifests(accesses: readonly Access[], options: AccessManifestOptions): string {
  const { name, namespace } = options;
  const all = [...accesses, ...runtimeAccesses(options)];
  const isOwn = (access: Access): boolean => access.namespace === namespace;
  return encodeYamlDocuments(
    roleManifests({
      name,
      namespace,
      rules: policyRules(all.filter((access) => !isOwn(access))),
      ownRules: policyRules(all.filter(isOwn)),
    }),
  );
}
