import type { KubeObject, ServedMeta } from '@windlass/apimachinery';

export interface TestObject extends KubeObject {
  metadata: ServedMeta & { namespace: string };
  /** Differs in each state there ever was. */
  data: { writes: number };
}

export const TEST_RESOURCE = {
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
} as const;

export function testObject(
  key: string,
  options: { uid: string; version: number | string; writes: number; labels?: Record<string, string> },
): TestObject {
  const [namespace = '', name = ''] = key.split('/');
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: {
      name,
      namespace,
      uid: options.uid,
      resourceVersion: String(options.version),
      creationTimestamp: '2026-01-02T03:04:05Z',
      ...(options.labels !== undefined && { labels: options.labels }),
    },
    data: { writes: options.writes },
  };
}
