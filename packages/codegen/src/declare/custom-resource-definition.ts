import { apiVersionOf } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import { InvalidDeclarationError } from '../errors.ts';
import type { AnyDeclaredResource } from './define-resource.ts';

/**
 * What makes an API server serve the kind. Several are versions of one: the first is the one that is
 * stored, and the others are served beside it.
 * @throws InvalidDeclarationError when they are not versions of one kind
 */
export function customResourceDefinition(
  stored: AnyDeclaredResource,
  ...others: readonly AnyDeclaredResource[]
): CustomResourceDefinition {
  const { group, plural, namespaced, names, conversion } = stored;
  const versions = [stored, ...others];
  for (const [at, other] of versions.entries()) requireVersionOf(stored, other, versions.slice(0, at));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: namespaced ? 'Namespaced' : 'Cluster',
      names,
      versions: versions.map(({ crdVersion }, index) => ({ ...crdVersion, storage: index === 0 })),
      ...(conversion !== undefined && { conversion }),
    },
  };
}

function requireVersionOf(
  stored: AnyDeclaredResource,
  other: AnyDeclaredResource,
  before: readonly AnyDeclaredResource[],
): void {
  const { group, kind, plural, namespaced } = stored;
  if (
    other.group !== group ||
    other.kind !== kind ||
    other.plural !== plural ||
    other.namespaced !== namespaced
  )
    throw new InvalidDeclarationError(
      `${apiVersionOf(other)} ${other.kind} is no version of ${group} ${kind}: group, kind, plural and scope must be the same`,
    );
  if (before.some(({ version }) => version === other.version))
    throw new InvalidDeclarationError(`${apiVersionOf(other)} ${kind} is given twice; leave one out`);
}
