import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ApiRequest } from '@windlass/apimachinery';
import { type RequestInfo, requestInfoOf } from './request-info.ts';

type Asked = readonly [method: ApiRequest['method'], path: string, query?: Readonly<Record<string, string>>];
const PODS = '/api/v1/namespaces/default/pods';

/** `verb group/version namespace resource/name/subresource`, and what a selector requires of the node's name. */
function told(info: RequestInfo): string {
  if (!info.isResourceRequest) return `${info.verb} ${info.path}`;
  const selected = info.fieldSelector?.requiredValue('spec.nodeName');
  const path = [info.resource, info.name, info.subresource, ...info.rest].join('/').replace(/\/+$/, '');
  return `${info.verb} ${info.group}/${info.version} ${info.namespace} ${path}${selected === undefined ? '' : ` on ${selected}`}`;
}

describe('a request is', () => {
  const rows: readonly [asked: Asked, told: string][] = [
    [['GET', '/healthz'], 'get /healthz'],
    [['POST', '/api'], 'post /api'],
    [['GET', '/apis/apps/v1'], 'get /apis/apps/v1'],
    [['GET', PODS], 'list /v1 default pods'],
    [['GET', PODS, { watch: 'true' }], 'watch /v1 default pods'],
    [['GET', `${PODS}/a`], 'get /v1 default pods/a'],
    [['GET', `${PODS}/a`, { watch: 'true' }], 'get /v1 default pods/a'],
    [['POST', PODS], 'create /v1 default pods'],
    [['PUT', `${PODS}/a/status`], 'update /v1 default pods/a/status'],
    [['PATCH', `${PODS}/a`], 'patch /v1 default pods/a'],
    [['DELETE', `${PODS}/a`], 'delete /v1 default pods/a'],
    [['DELETE', PODS], 'deletecollection /v1 default pods'],
    [['GET', `${PODS}/a/proxy/x/y`], 'get /v1 default pods/a/proxy/x/y'],
    [['GET', '/apis/apps/v1/deployments'], 'list apps/v1  deployments'],
    [['GET', '/api/v1/namespaces/default'], 'get /v1  namespaces/default'],
    [['PUT', '/api/v1/namespaces/default/finalize'], 'update /v1  namespaces/default/finalize'],
    [['GET', '/api/v1/watch/namespaces/default/pods/a'], 'watch /v1 default pods/a'],
    [['GET', '/api/v1/watch'], 'get /api/v1/watch'],
    [['GET', '/api/v1/namespaces%2Fdefault/pods'], 'list /v1 default pods'],
    // A selector of one name is that name, for reading only.
    [['GET', PODS, { fieldSelector: 'metadata.name=a' }], 'list /v1 default pods/a'],
    [['DELETE', PODS, { fieldSelector: 'metadata.name=a' }], 'deletecollection /v1 default pods'],
    [['GET', PODS, { fieldSelector: 'metadata.name=a%2Fb' }], 'list /v1 default pods'],
    [['GET', PODS, { fieldSelector: 'metadata.name!=a' }], 'list /v1 default pods'],
    // What else is selected may be what it is authorised for.
    [['GET', PODS, { fieldSelector: 'spec.nodeName=n1' }], 'list /v1 default pods on n1'],
    [['DELETE', PODS, { fieldSelector: 'spec.nodeName=n1' }], 'deletecollection /v1 default pods on n1'],
    [['DELETE', `${PODS}/a`, { fieldSelector: 'spec.nodeName=n1' }], 'delete /v1 default pods/a'],
    [['GET', '/api/v1/watch/pods', { fieldSelector: 'spec.nodeName=n1' }], 'watch /v1  pods'],
    [['GET', PODS, { fieldSelector: '==' }], 'list /v1 default pods'],
  ];
  for (const [[method, path, query], expected] of rows)
    test(`${method} ${path} ${query === undefined ? '' : new URLSearchParams(query).toString()}`, () => {
      const info = requestInfoOf({ method, path, ...(query !== undefined && { query }) });
      assert.equal(told(info), expected);
    });
});
