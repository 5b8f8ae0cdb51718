import type { Node, NodeSystemInfo } from '@windlass/apimachinery/api/core/v1';
import type { View } from '../../../resource/views.ts';
import type { PrinterOf } from '../../define-kind.ts';
import {
  AGE_COLUMN,
  ageOf,
  column,
  conditionOf,
  NONE,
  printer,
  UNKNOWN,
  wide,
} from '../../shared/columns.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodePrinter: PrinterOf<Node> = printer(
  [
    column('Status'),
    column('Roles'),
    AGE_COLUMN,
    column('Version'),
    wide('Internal-IP'),
    wide('External-IP'),
    wide('OS-Image'),
    wide('Kernel-Version'),
    wide('Container-Runtime'),
  ],
  (node, now) => {
    const info = node.status?.nodeInfo;
    return [
      statusText(node),
      rolesText(node),
      ageOf(node, now),
      info?.kubeletVersion ?? '',
      addressText(node, 'InternalIP'),
      addressText(node, 'ExternalIP'),
      info?.osImage || UNKNOWN,
      kernelText(info),
      info?.containerRuntimeVersion || UNKNOWN,
    ];
  },
);

function statusText({ spec, status }: View<Node>): string {
  const ready = conditionOf(status?.conditions, 'Ready');
  const states = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
  if (spec?.unschedulable === true) states.push('SchedulingDisabled');
  return states.join(',');
}

function kernelText(info: View<NodeSystemInfo> | undefined): string {
  const version = info?.kernelVersion || UNKNOWN;
  const { architecture = '' } = info ?? {};
  return architecture === '' ? version : `${version} (${architecture})`;
}

function rolesText(node: View<Node>): string {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(ROLE_PREFIX) && label.length > ROLE_PREFIX.length)
      roles.add(label.slice(ROLE_PREFIX.length));
    else if (label === ROLE_LABEL && value !== '') roles.add(value);
  }
  return roles.size === 0 ? NONE : [...roles].toSorted().join(',');
}

function addressText(node: View<Node>, type: string): string {
  return node.status?.addresses?.find((address) => address.type === type)?.address || NONE;
}
