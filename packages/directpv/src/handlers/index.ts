export {
  addDirectpvNode,
  DEFAULT_DIRECTPV_NODE_OPTIONS,
  type DirectpvNode,
  type DirectpvNodeOptions,
} from './add-directpv-node.ts';
