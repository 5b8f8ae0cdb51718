import type { Container, HTTPGetAction, Probe } from '@windlass/apimachinery/api/core/v1';
import type { DraftOf } from '../../../resource/views.ts';
import { tagOfImage } from './image-reference.ts';

export function setContainerDefaults(container: DraftOf<Container>, isHostNetwork: boolean): void {
  container.terminationMessagePath ||= '/dev/termination-log';
  container.terminationMessagePolicy ||= 'File';
  container.imagePullPolicy ||= isLatest(container.image) ? 'Always' : 'IfNotPresent';
  for (const port of container.ports ?? []) {
    port.protocol ||= 'TCP';
    if (isHostNetwork && port.containerPort !== undefined) port.hostPort ||= port.containerPort;
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef !== undefined) valueFrom.fieldRef.apiVersion ||= 'v1';
    if (valueFrom?.resourceFieldRef !== undefined) valueFrom.resourceFieldRef.divisor ??= '0';
  }
  for (const probe of [container.livenessProbe, container.readinessProbe, container.startupProbe])
    if (probe !== undefined) setProbeDefaults(probe);
  const { postStart, preStop } = container.lifecycle ?? {};
  setHttpDefaults(postStart?.httpGet);
  setHttpDefaults(preStop?.httpGet);
}

function setProbeDefaults(probe: DraftOf<Probe>): void {
  probe.timeoutSeconds ||= 1;
  probe.periodSeconds ||= 10;
  probe.successThreshold ||= 1;
  probe.failureThreshold ||= 3;
  setHttpDefaults(probe.httpGet);
  if (probe.grpc !== undefined) probe.grpc.service ??= '';
}

function setHttpDefaults(action: DraftOf<HTTPGetAction> | undefined): void {
  if (action === undefined) return;
  action.path ||= '/';
  action.scheme ||= 'HTTP';
}

/** An image without a tag, or with the tag `latest`, may change under its name. */
function isLatest(image: string | undefined): boolean {
  return image !== undefined && tagOfImage(image) === 'latest';
}
