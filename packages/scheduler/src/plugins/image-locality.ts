import { MAX_SCORE, type ScorePlugin } from '../framework/plugin.ts';

const MIN_BYTES = 23 * 1024 * 1024;
const MAX_BYTES_PER_CONTAINER = 1000 * 1024 * 1024;

/** Nodes that have the pod's images already. An image that few nodes have counts less, so that no node is run over. */
export const imageLocality: ScorePlugin = {
  name: 'ImageLocality',
  weight: 1,
  score({ pod }, nodes, view) {
    const containers = [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])];
    const total = view.nodes().length;
    const wanted = containers.flatMap(({ image = '' }) => {
      const name = withTag(image);
      const presence = view.nodesWithImage(name);
      return presence === 0 ? [] : [{ name, presence }];
    });
    if (wanted.length === 0) return undefined;
    const most = MAX_BYTES_PER_CONTAINER * containers.length;
    return nodes.map((node) => {
      const { images } = node;
      let bytes = 0;
      for (const { name, presence } of wanted) bytes += ((images.get(name) ?? 0) * presence) / total;
      const bounded = Math.min(Math.max(bytes, MIN_BYTES), most);
      return Math.floor((MAX_SCORE * (bounded - MIN_BYTES)) / (most - MIN_BYTES));
    });
  },
};

function withTag(image: string): string {
  return /[:@][^/]*$/.test(image) ? image : `${image}:latest`;
}
