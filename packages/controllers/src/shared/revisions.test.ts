// What Go makes of the same template: `json.Marshal` of the set, its template as a map, the hash of those bytes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { goMapJson } from '@windlass/apimachinery';
import { ControllerRevision, DaemonSet, StatefulSet } from '@windlass/apimachinery/api/apps/v1';
import type { PodTemplateSpec } from '@windlass/apimachinery/api/core/v1';
import { all } from '@windlass/cluster/testing/objects';
import { startControllers } from '../testing/controlled-cluster.ts';
import { revisionData, revisionHash, templateIn } from './revisions.ts';

const LABELS = { app: 'web', '9': 'nine', '10': 'ten' };
const template: PodTemplateSpec = {
  metadata: { labels: LABELS, annotations: { note: 'a<b && c>d \u2028 é' } },
  spec: {
    terminationGracePeriodSeconds: 30,
    containers: [{ name: 'main', image: 'web:1', command: ['sh', '-c', 'a && b > /tmp/c'], resources: {} }],
  },
};
const GO =
  '{"spec":{"template":{"$patch":"replace","metadata":{"annotations":{"note":"a\\u003cb \\u0026\\u0026 c\\u003ed \\u2028 é"},' +
  '"labels":{"10":"ten","9":"nine","app":"web"}},"spec":{"containers":[{"command":["sh","-c","a \\u0026\\u0026 b \\u003e /tmp/c"],' +
  '"image":"web:1","name":"main","resources":{}}],"terminationGracePeriodSeconds":30}}}}';

describe('the data of a revision', () => {
  it('are the bytes that Go writes, and go back to the template', () => {
    const data = revisionData(template);
    assert.equal(goMapJson(data), GO);
    assert.deepEqual(templateIn({ data, revision: 1, metadata: { name: 'a' } } as never), template);
  });

  it('have the hash that Go computes, and another one after a collision', () => {
    assert.equal(revisionHash(revisionData(template), 0), 'd7984cf44');
    assert.equal(revisionHash(revisionData(template), 1), 'd7984cf45');
  });
});

describe('the first revision of a set, as the API serves it', () => {
  const cause = { 'kubernetes.io/change-cause': 'first' };
  const spec = { selector: { matchLabels: LABELS }, template };
  /** With the defaults that the API server adds. */
  const served = GO.replace(
    '"name":"main","resources":{}}]',
    '"imagePullPolicy":"IfNotPresent","name":"main","resources":{},"terminationMessagePath":"/dev/termination-log","terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst","restartPolicy":"Always","schedulerName":"default-scheduler","securityContext":{}',
  );

  for (const [controller, kind, object] of [
    ['statefulset', StatefulSet, { ...spec, serviceName: 'db' }],
    ['daemonset', DaemonSet, spec],
  ] as const)
    it(`of a ${controller} has Go's bytes and the annotations of its set`, async () => {
      await using test = await startControllers([controller]);
      const { cluster } = test;
      const metadata = { name: 'db', namespace: 'default', annotations: cause };
      await cluster.client.resource(kind).namespace('default').create({ metadata, spec: object });
      await cluster.settled();
      const [revision] = await all(cluster, ControllerRevision);
      assert.equal(goMapJson(revision?.data), served);
      assert.equal(revision?.metadata?.annotations?.['kubernetes.io/change-cause'], 'first');
      if (controller === 'statefulset')
        assert.equal(revision?.metadata?.name, `db-${revisionHash(revision?.data ?? null, 0)}`);
    });
});
