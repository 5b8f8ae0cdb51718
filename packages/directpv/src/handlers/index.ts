export {
  addDirectPVNode,
  DEFAULT_DIRECTPV_NODE_OPTIONS,
  type DirectPVNodeOptions,
  type DirectPVNodeService,
} from './add-directpv-node.ts';
