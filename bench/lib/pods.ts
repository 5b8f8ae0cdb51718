// Pods as a real cluster has them: a Deployment's, running, with what admission and kubelet add.
import { ConfigMap, Namespace, Pod } from '@windlass/apimachinery/api/core/v1';
import { createClient, loadConfig } from '@windlass/client';

export const NAMESPACE = 'bench';
const WRITERS = 32;

/** Makes `count` running pods and one small ConfigMap in the namespace `bench`. */
export async function fillCluster(kubeconfigPath: string, count: number): Promise<void> {
  await using client = createClient({
    config: await loadConfig({ path: kubeconfigPath }),
    fieldManager: 'kube-controller-manager',
  });
  await client.resource(Namespace).create({ metadata: { name: NAMESPACE } });
  const small = { metadata: { name: 'small' }, data: { key: 'value' } };
  await client.resource(ConfigMap).namespace(NAMESPACE).create(small);
  const pods = client.resource(Pod).namespace(NAMESPACE);
  let next = 0;
  const writer = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const made = await pods.create(pendingPod(index));
      const options = { fieldManager: 'kubelet' };
      await pods.status.replace({ ...made, status: runningStatus(index) }, options);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
}

function pendingPod(index: number): Pod {
  const hash = (index % 97).toString(16).padStart(10, 'f');
  return {
    metadata: {
      name: `shop-frontend-${hash}-${String(index).padStart(5, '0')}`,
      labels: {
        'app.kubernetes.io/name': 'frontend',
        'app.kubernetes.io/instance': `shop-${index % 20}`,
        'app.kubernetes.io/part-of': 'shop',
        'pod-template-hash': hash,
      },
      annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': '9090' },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: `shop-frontend-${hash}`,
          uid: `6ad7f6a4-0000-4000-8000-${String(index % 97).padStart(12, '0')}`,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeName: `node-${index % 100}`,
      containers: [
        {
          name: 'frontend',
          image: 'registry.example/shop/frontend:v1.17.3',
          args: ['--listen=:8080', '--backend=http://backend.shop.svc'],
          ports: [{ name: 'http', containerPort: 8080 }],
          env: [
            { name: 'LOG_LEVEL', value: 'info' },
            { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            { name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'frontend', key: 'token' } } },
          ],
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
          readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
          volumeMounts: [{ name: 'config', mountPath: '/etc/frontend', readOnly: true }],
        },
        { name: 'metrics', image: 'registry.example/shop/metrics:v0.9.1', ports: [{ containerPort: 9090 }] },
      ],
      volumes: [{ name: 'config', configMap: { name: 'frontend' } }],
    },
  };
}

function runningStatus(index: number): NonNullable<Pod['status']> {
  const time = '2026-11-01T12:00:00Z';
  const address = `10.${index % 200}.${Math.floor(index / 200) % 200}.7`;
  const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: time });
  const container = (name: string, image: string) => ({
    name,
    image,
    imageID: `${image}@sha256:${'0123456789abcdef'.repeat(4)}`,
    containerID: `containerd://${String(index).padStart(64, 'a')}`,
    ready: true,
    started: true,
    restartCount: 0,
    state: { running: { startedAt: time } },
  });
  return {
    phase: 'Running',
    hostIP: `192.0.2.${index % 100}`,
    podIP: address,
    podIPs: [{ ip: address }],
    qosClass: 'Burstable',
    startTime: time,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map(condition),
    containerStatuses: [
      container('frontend', 'registry.example/shop/frontend:v1.17.3'),
      container('metrics', 'registry.example/shop/metrics:v0.9.1'),
    ],
  };
}
