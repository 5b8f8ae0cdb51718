import type { Transport } from '@windlass/apimachinery';
import type { KubeletReader } from '@windlass/apiserver';

const MAX_BYTES = 16 * 2 ** 20;

/**
 * Reads what the kubelets of real nodes measure, through the API server.
 * @param simulated names of nodes that measure nothing
 */
export function readKubeletVia(
  transport: () => Pick<Transport, 'stream'> | undefined,
  simulated: ReadonlySet<string>,
): KubeletReader {
  return async (name, signal) => {
    if (simulated.has(name)) return undefined;
    const path = `/api/v1/nodes/${encodeURIComponent(name)}/proxy/metrics/resource`;
    const response = await transport()?.stream?.({ method: 'GET', path, signal });
    if (response?.bytes === undefined) throw new Error(`${path} answered ${response?.status ?? 'nothing'}`);
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.bytes) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) throw new Error(`${path} answers more than ${MAX_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  };
}
