import type { Cached, DeepReadonly } from '@windlass/apimachinery';
import type { Node, TopologySelectorTerm } from '@windlass/apimachinery/api/core/v1';
import type { CSINode } from '@windlass/apimachinery/api/storage/v1';
import type { MessageInit } from '@windlass/grpc';
import type { TopologyRequirement } from '../generated/csi.ts';
import { SidecarError } from '../sidecar/errors.ts';
import {
  allowedTerms,
  includesTerm,
  segmentsOf,
  type Term,
  termOfNode,
  topologyKeysOf,
  uniqueTerms,
} from '../sidecar/topology.ts';

export interface AccessibilityFacts {
  readonly driver: string;
  readonly claimName: string;
  readonly allowedTopologies: DeepReadonly<readonly TopologySelectorTerm[]>;
  /** Where the first pod is to run; undefined when the volume does not wait for one. */
  readonly selectedNode: string | undefined;
  /** The volume must be usable on the selected node, and nothing else is offered. */
  readonly strict: boolean;
  /** Offers all nodes' topologies also where no node is selected and no topology asked for. */
  readonly immediate: boolean;
  readonly nodes: readonly Cached<Node>[];
  readonly csiNodes: readonly Cached<CSINode>[];
}

/**
 * Where the driver may put a volume (`requisite`), and where it should (`preferred`, best first). Undefined
 * when it may be anywhere. @throws SidecarError when that cannot be told yet
 */
export function accessibilityRequirements(
  facts: AccessibilityFacts,
): MessageInit<TopologyRequirement> | undefined {
  const selected = facts.selectedNode === undefined ? undefined : selectedTerm(facts, facts.selectedNode);
  const allowed = allowedTerms(facts.allowedTopologies);
  if (selected !== undefined && facts.strict) {
    if (allowed.length > 0 && !allowed.some((term) => includesTerm(selected.term, term)))
      throw new SidecarError(
        `node ${facts.selectedNode} was selected, and its topology is none that the class allows`,
      );
    return print([selected.term], [selected.term]);
  }
  if (allowed.length === 0 && selected === undefined && !facts.immediate) return undefined;
  const requisite = uniqueTerms(allowed.length > 0 ? allowed : allTerms(facts, selected?.keys));
  if (requisite.length === 0)
    throw new SidecarError(`driver ${facts.driver} has told no node's topology yet`);
  const first =
    selected === undefined
      ? spreadIndex(facts.claimName, requisite.length)
      : requisite.findIndex((term) => includesTerm(selected.term, term));
  if (first < 0)
    throw new SidecarError(
      `the topology of the selected node ${facts.selectedNode} is none of those possible`,
    );
  return print(requisite, [...requisite.slice(first), ...requisite.slice(0, first)]);
}

const print = (requisite: readonly Term[], preferred: readonly Term[]): MessageInit<TopologyRequirement> => ({
  requisite: requisite.map((term) => ({ segments: segmentsOf(term) })),
  preferred: preferred.map((term) => ({ segments: segmentsOf(term) })),
});

function selectedTerm(facts: AccessibilityFacts, name: string): { keys: readonly string[]; term: Term } {
  const { driver, csiNodes, nodes } = facts;
  const csiNode = csiNodes.find(({ metadata }) => metadata.name === name);
  const keys = csiNode === undefined ? undefined : topologyKeysOf(csiNode, driver);
  if (keys === undefined || keys.length === 0)
    throw new SidecarError(`driver ${driver} is not registered on the selected node ${name}`);
  const node = nodes.find(({ metadata }) => metadata.name === name);
  const term = node === undefined ? undefined : termOfNode(node, keys);
  if (term === undefined)
    throw new SidecarError(
      `the selected node ${name} lacks labels of the driver's topology: ${keys.join(', ')}`,
    );
  return { keys, term };
}

/** The topologies of every node that has the driver's keys. */
function allTerms(facts: AccessibilityFacts, selectedKeys: readonly string[] | undefined): Term[] {
  const keys = selectedKeys ?? registeredKeys(facts);
  if (keys === undefined) return [];
  return facts.nodes.map((node) => termOfNode(node, keys)).filter((term) => term !== undefined);
}

/** During an upgrade nodes may differ in their keys. The first by name counts, so that each try takes the same. */
function registeredKeys({ csiNodes, driver }: AccessibilityFacts): readonly string[] | undefined {
  const name = (node: Cached<CSINode>): string => node.metadata.name;
  return csiNodes
    .toSorted((a, b) => (name(a) < name(b) ? -1 : 1))
    .map((node) => topologyKeysOf(node, driver))
    .find((keys) => keys !== undefined && keys.length > 0);
}

/**
 * Where in the list to begin, so that claims of one StatefulSet (`data-web-0`, `data-web-1`, …) spread over
 * the topologies, and those of one of its pods (`data-web-0`, `log-web-0`) stay together.
 */
export function spreadIndex(claimName: string, count: number): number {
  const numbered = /^(.*)-(\d{1,9})$/.exec(claimName);
  const stem = numbered?.[1] ?? claimName;
  const index = Number(numbered?.[2] ?? 0);
  const hashed = numbered === null ? stem : stem.slice(stem.lastIndexOf('-') + 1);
  return ((fnv32(hashed) + index) >>> 0) % count;
}

function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash, 0x01000193) ^ byte;
  return hash >>> 0;
}
