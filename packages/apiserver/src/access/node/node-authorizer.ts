import type { Logger } from '@windlass/base';
import type { Store } from '../../storage/store.ts';
import type { AccessAttributes, AccessDecision, Authorizer } from '../authorizer.ts';
import { ruleAllows } from '../rbac/policy-rule.ts';
import { COMPONENT_ROLES } from '../roles/component-roles.ts';
import { NodePods } from './node-pods.ts';
import type { PodReferences } from './pod-references.ts';

const USER_PREFIX = 'system:node:';
const NODES_GROUP = 'system:nodes';
const LEASES_NAMESPACE = 'kube-node-lease';
const READS: ReadonlySet<string> = new Set(['get', 'list', 'watch']);
const NO_OPINION: AccessDecision = Object.freeze({ isAllowed: false, reason: '' });
const ALLOWED: AccessDecision = Object.freeze({ isAllowed: true, reason: '' });

/**
 * Lets `system:node:NAME` in the group `system:nodes` do what a kubelet must: what the role `system:node`
 * allows, but secrets, config maps, claims, volumes and tokens only as far as a pod on that node needs them,
 * and pods, nodes, leases, CSINodes and slices of devices only its own.
 *
 * Admission (NodeRestriction) holds the rest: that a node writes no other node's object or pods.
 */
export class NodeAuthorizer implements Authorizer, AsyncDisposable {
  readonly #pods: NodePods;

  constructor(store: Store, logger: Logger) {
    this.#pods = new NodePods(store, logger);
  }

  start(): Promise<void> {
    return this.#pods.start();
  }

  stop(): Promise<void> {
    return this.#pods.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  authorize(attributes: AccessAttributes): AccessDecision {
    const node = nodeOf(attributes);
    if (node === undefined) return NO_OPINION;
    const problem = attributes.isResourceRequest ? this.#problem(node, attributes) : undefined;
    if (problem !== undefined && problem !== '') return { isAllowed: false, reason: problem };
    if (problem === '') return ALLOWED;
    const rules = COMPONENT_ROLES['system:node'] ?? [];
    return rules.some((rule) => ruleAllows(rule, attributes)) ? ALLOWED : NO_OPINION;
  }

  /** Empty when it is allowed, a reason when not, undefined when the role decides. */
  #problem(node: string, attributes: AccessAttributes): string | undefined {
    const { group, resource, subresource } = attributes;
    switch (`${group}/${resource}`) {
      case '/secrets':
        return this.#readable(node, attributes, ({ secrets }) => secrets);
      case '/configmaps':
        return this.#readable(node, attributes, ({ configMaps }) => configMaps);
      case '/persistentvolumeclaims':
        // The status is written when a file system has grown.
        return subresource === 'status'
          ? this.#needed(node, attributes, ({ claims }) => claims)
          : this.#readable(node, attributes, ({ claims }) => claims);
      case '/persistentvolumes':
        return this.#volume(node, attributes);
      case '/serviceaccounts':
        return subresource === 'token' && attributes.verb === 'create'
          ? this.#needed(node, attributes, ({ serviceAccount }) => new Set([serviceAccount]))
          : this.#readable(node, attributes, ({ serviceAccount }) => new Set([serviceAccount]));
      case '/pods':
        return subresource === '' ? this.#pod(node, attributes) : undefined;
      case '/nodes':
        return subresource === '' ? ownNode(node, attributes) : undefined;
      case 'coordination.k8s.io/leases':
        return ownOnly(node, attributes, 'node lease', LEASES_NAMESPACE);
      case 'storage.k8s.io/csinodes':
        return ownOnly(node, attributes, 'CSINode', '');
      case 'resource.k8s.io/resourceclaims':
        return attributes.verb === 'get'
          ? this.#readable(node, attributes, ({ resourceClaims }) => resourceClaims)
          : 'can only get resources of this type by name';
      case 'resource.k8s.io/resourceslices':
        return this.#slice(node, attributes);
      default:
        return undefined;
    }
  }

  /** A node publishes its own devices. Whose those of a new slice are, admission looks at. */
  #slice(node: string, { verb, subresource, name, fieldSelector }: AccessAttributes): string {
    if (subresource !== '') return 'cannot authorize ResourceSlice subresources';
    switch (verb) {
      case 'create':
        return '';
      case 'get':
      case 'update':
      case 'patch':
      case 'delete':
        return this.#pods.nodeOfSlice(name) === node ? '' : noRelationship(node);
      case 'list':
      case 'watch':
      case 'deletecollection':
        return fieldSelector?.requiredValue('spec.nodeName') === node
          ? ''
          : 'can only list/watch/deletecollection resourceslices with nodeName field selector';
      default:
        return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection';
    }
  }

  #readable(
    node: string,
    attributes: AccessAttributes,
    named: (references: PodReferences) => ReadonlySet<string>,
  ): string {
    const { verb, subresource, name } = attributes;
    if (subresource !== '' || !['get', 'list', 'watch'].includes(verb) || name === '')
      return 'can only read resources of this type by name';
    return this.#needed(node, attributes, named);
  }

  #needed(
    node: string,
    { namespace, name }: AccessAttributes,
    named: (references: PodReferences) => ReadonlySet<string>,
  ): string {
    return this.#pods.needs(node, namespace, (references) => named(references).has(name))
      ? ''
      : noRelationship(node);
  }

  /** A node reads its own pods: all of them by a selector, or one by its name. */
  #pod(node: string, { verb, namespace, name, fieldSelector }: AccessAttributes): string | undefined {
    if (!READS.has(verb)) return undefined;
    if (verb !== 'get' && fieldSelector?.requiredValue('spec.nodeName') === node) return '';
    if (verb !== 'get' && name === '') return 'can only list/watch pods with spec.nodeName field selector';
    return this.#pods.hasPod(node, namespace, name) ? '' : noRelationship(node);
  }

  #volume(node: string, { verb, subresource, name }: AccessAttributes): string {
    if (verb !== 'get' || subresource !== '') return 'can only get resources of this type by name';
    const [namespace = '', claim = ''] = this.#pods.claimOfVolume(name)?.split('/') ?? [];
    return claim !== '' && this.#pods.needs(node, namespace, ({ claims }) => claims.has(claim))
      ? ''
      : noRelationship(node);
  }
}

/** Also before there is such a node: a kubelet looks for its own, and then makes it. */
function ownNode(node: string, { verb, name }: AccessAttributes): string | undefined {
  if (!READS.has(verb)) return undefined;
  if (name === node) return '';
  return name === ''
    ? `node '${node}' cannot read all nodes, only its own Node object`
    : `node '${node}' cannot read '${name}', only its own Node object`;
}

function noRelationship(node: string): string {
  return `no relationship found between node '${node}' and this object`;
}

function nodeOf({ user }: AccessAttributes): string | undefined {
  if (!user.name.startsWith(USER_PREFIX) || !user.groups.includes(NODES_GROUP)) return undefined;
  const name = user.name.slice(USER_PREFIX.length);
  return name === '' ? undefined : name;
}

function ownOnly(
  node: string,
  { verb, name, namespace, subresource }: AccessAttributes,
  what: string,
  home: string,
): string {
  if (!['get', 'create', 'update', 'patch', 'delete'].includes(verb))
    return `can only get, create, update, patch, or delete a ${what}`;
  if (subresource !== '') return `cannot authorize ${what} subresources`;
  if (namespace !== home) return `can only access leases in the "${home}" system namespace`;
  // The name of a new object is not known yet.
  return verb !== 'create' && name !== node
    ? `can only access ${what} with the same name as the requesting node`
    : '';
}
