import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { serviceVariables } from './service-variables.ts';

const service = (
  namespace: string,
  name: string,
  spec: object,
): Parameters<typeof serviceVariables>[0][number] => ({
  metadata: { namespace, name },
  spec,
});
const kubernetes = service('default', 'kubernetes', {
  clusterIP: '10.0.0.1',
  ports: [{ name: 'https', port: 443, protocol: 'TCP' }],
});
const own = service('team', 'my-db', { clusterIP: '10.0.0.9', ports: [{ port: 53, protocol: 'UDP' }] });

describe('the variables of services', () => {
  it('are those of the API server, whatever the pod wants', () => {
    const found = serviceVariables([kubernetes, own], { namespace: 'team', areLinked: false });
    assert.deepEqual(Object.fromEntries(found), {
      KUBERNETES_SERVICE_HOST: '10.0.0.1',
      KUBERNETES_SERVICE_PORT: '443',
      KUBERNETES_SERVICE_PORT_HTTPS: '443',
      KUBERNETES_PORT: 'tcp://10.0.0.1:443',
      KUBERNETES_PORT_443_TCP: 'tcp://10.0.0.1:443',
      KUBERNETES_PORT_443_TCP_PROTO: 'tcp',
      KUBERNETES_PORT_443_TCP_PORT: '443',
      KUBERNETES_PORT_443_TCP_ADDR: '10.0.0.1',
    });
  });

  it('and those of the own namespace, by the name in capitals', () => {
    const other = service('other', 'x', { clusterIP: '10.0.0.8', ports: [{ port: 1 }] });
    const found = serviceVariables([own, other], { namespace: 'team', areLinked: true });
    assert.deepEqual(Object.fromEntries(found), {
      MY_DB_SERVICE_HOST: '10.0.0.9',
      MY_DB_SERVICE_PORT: '53',
      MY_DB_PORT: 'udp://10.0.0.9:53',
      MY_DB_PORT_53_UDP: 'udp://10.0.0.9:53',
      MY_DB_PORT_53_UDP_PROTO: 'udp',
      MY_DB_PORT_53_UDP_PORT: '53',
      MY_DB_PORT_53_UDP_ADDR: '10.0.0.9',
    });
  });

  it('are none of a service without an address', () => {
    for (const clusterIP of [undefined, '', 'None']) {
      const headless = service('team', 'h', {
        ...(clusterIP !== undefined && { clusterIP }),
        ports: [{ port: 1 }],
      });
      assert.equal(serviceVariables([headless], { namespace: 'team', areLinked: true }).size, 0);
    }
    const six = service('team', 's', { clusterIP: 'fd00::1', ports: [{ port: 80 }] });
    const found = serviceVariables([six], { namespace: 'team', areLinked: true });
    assert.equal(found.get('S_PORT'), 'tcp://[fd00::1]:80');
  });
});
