// What a run read comes as text. Where it names one object, it becomes a link.

export interface NamedObject {
  readonly resource: string;
  readonly key: string;
}

/** `pods default/web-1` names an object; `pods: 12 listed` does not. */
export function namedObject(text: string): NamedObject | undefined {
  const match = /^([a-z][a-z0-9.-]*(?:\/[a-z]+)?) ([^\s:,]+)$/.exec(text);
  if (match === null) return undefined;
  const [, resource = '', key = ''] = match;
  return { resource: withoutSubresource(resource), key };
}

/** `deployments.apps/status` is written at the object `deployments.apps`. */
export function withoutSubresource(resource: string): string {
  return resource.split('/')[0] ?? resource;
}
