import {
  FieldPath,
  fieldForbidden,
  fieldInvalid,
  newBadRequest,
  newInvalid,
  parseTime,
} from '@windlass/apimachinery';
import { isWebSocketRequest } from '@windlass/streams';
import { booleanOf, integerOf, type Query, textOf } from '../request/query-values.ts';
import type { ConnectAnswer, ConnectHandler } from '../resource/connect.ts';
import { ask, refusalOf } from './hand-on.ts';
import { asMessages } from './log-messages.ts';
import { containerOf } from './pod-container.ts';
import type { PodConnectServices } from './pod-streams.ts';

const NO_BYTES: AsyncIterable<Uint8Array> = { async *[Symbol.asyncIterator]() {} };

/** `pods/log`: what a container has printed, as its kubelet has it. */
export function podLog({ nodes, readPod }: PodConnectServices): ConnectHandler {
  return async (request) => {
    const { namespace, name, query } = request;
    const asked = logQuery(query, name);
    const pod = await readPod(namespace, name);
    const container = containerOf(pod, textOf(query, 'container'));
    const told = (body: AsyncIterable<Uint8Array>): ConnectAnswer =>
      request.isUpgrade && isWebSocketRequest(request.headers)
        ? asMessages(request, body)
        : { type: 'stream', status: 200, headers: { 'content-type': 'text/plain' }, body };
    const { nodeName = '' } = pod.spec ?? {};
    // A pod that is nowhere has printed nothing.
    if (nodeName === '') return told(NO_BYTES);
    const kubelet = await nodes.kubeletOf(nodeName);
    const isTrusting = booleanOf(query, 'insecureSkipTLSVerifyBackend') === true;
    const answer = await ask(request, {
      network: nodes.network,
      backend: isTrusting ? { ...kubelet, tls: { ...kubelet.tls, authority: undefined } } : kubelet,
      path: `/containerLogs/${namespace}/${name}/${container}${asked === '' ? '' : `?${asked}`}`,
      headers: { host: `${kubelet.host}:${kubelet.port}` },
    });
    if (answer.type === 'upgrade') {
      answer.socket.destroy();
      throw new TypeError('a kubelet has answered a request for logs with another protocol');
    }
    const { status, body } = answer;
    if (status < 200 || status > 206) throw await refusalOf(answer, 'pods/log', name);
    return told(body);
  };
}

/**
 * The query by which a kubelet is asked.
 * @throws StatusError 400 or 422 when what is asked for makes no sense
 */
export function logQuery(query: Query, name: string): string {
  const asked = new URLSearchParams();
  const errors = [];
  for (const flag of ['follow', 'previous', 'timestamps'])
    if (booleanOf(query, flag) === true) asked.append(flag, 'true');
  const sinceSeconds = integerOf(query, 'sinceSeconds');
  const sinceTime = textOf(query, 'sinceTime');
  const tailLines = integerOf(query, 'tailLines');
  const limitBytes = integerOf(query, 'limitBytes');
  if (tailLines !== undefined && tailLines < 0)
    errors.push(fieldInvalid(FieldPath.of('tailLines'), tailLines, 'must be greater than or equal to 0'));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(fieldInvalid(FieldPath.of('limitBytes'), limitBytes, 'must be greater than 0'));
  if (sinceSeconds !== undefined && sinceTime !== '')
    errors.push(
      fieldForbidden(FieldPath.of(''), 'at most one of `sinceTime` or `sinceSeconds` may be specified'),
    );
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(fieldInvalid(FieldPath.of('sinceSeconds'), sinceSeconds, 'must be greater than 0'));
  if (errors.length > 0) throw newInvalid({ group: '', kind: 'PodLogOptions' }, name, errors);
  if (sinceTime !== '') asked.append('sinceTime', checkedTime(sinceTime));
  for (const [key, value] of Object.entries({ sinceSeconds, tailLines, limitBytes }))
    if (value !== undefined) asked.append(key, String(value));
  return asked.toString();
}

function checkedTime(text: string): string {
  if (Number.isNaN(parseTime(text)))
    throw newBadRequest(`sinceTime ${JSON.stringify(text)} is not a time of RFC 3339`);
  return text;
}
