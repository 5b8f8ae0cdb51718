import { newForbidden, newNotFound, StatusError } from '@windlass/apimachinery';
import type { Store } from '../../storage/store.ts';
import type { AdmissionPlugin, AdmissionRequest } from '../admission.ts';
import { forbidden } from '../request-kind.ts';

/** These hold what the cluster itself needs. */
const PROTECTED: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public']);

/**
 * Nothing is created in a namespace that is not there or that is going, and some namespaces stay for good.
 * Controllers know the refusal by its cause and stop trying.
 */
export function namespaceLifecycle({ store }: { readonly store: Store }): AdmissionPlugin {
  const check = async (request: AdmissionRequest): Promise<void> => {
    const { definition, operation, name, namespace } = request;
    if (operation === 'DELETE') {
      if (definition.group === '' && definition.plural === 'namespaces' && PROTECTED.has(name))
        throw forbidden(request, 'this namespace may not be deleted');
      return;
    }
    if (operation !== 'CREATE' || namespace === '') return;
    const found = await store.get(`//namespaces/${namespace}`);
    if (found === undefined) throw newNotFound({ group: '', resource: 'namespaces' }, namespace);
    if (found.object.metadata?.deletionTimestamp !== undefined) throw terminating(request);
  };
  return {
    name: 'NamespaceLifecycle',
    handles: ({ definition, operation }) =>
      operation === 'DELETE' || (operation === 'CREATE' && definition.namespaced),
    // First of all, so that no other plugin asks about a namespace that is not there.
    mutate: check,
  };
}

function terminating({ definition, name, namespace }: AdmissionRequest): StatusError {
  const { status } = newForbidden(
    { group: definition.group, resource: definition.plural },
    name,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  return new StatusError({ ...status, details: { ...status.details, causes: [cause] } });
}
