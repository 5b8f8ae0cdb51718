// The names that images may have, as container runtimes read them.
const COMPONENT = '[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*';
const PATH = `${COMPONENT}(?:/${COMPONENT})*`;
const LABEL = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const HOST = `(?:${LABEL}(?:\\.${LABEL})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const TAG = '[\\w][\\w.-]{0,127}';
const DIGEST = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const REFERENCE = new RegExp(`^((?:${HOST}/)?${PATH})(?::${TAG})?(?:@${DIGEST})?$`);
const IDENTIFIER = /^[a-f0-9]{64}$/;
const MAX_NAME = 255;

/** What is wrong with the name of an image, in the runtimes' words; undefined: nothing. */
export function referenceProblem(image: string): string | undefined {
  if (IDENTIFIER.test(image))
    return `invalid repository name (${image}), cannot specify 64-byte hexadecimal strings`;
  // Longer than any name, tag and digest together: no reason to look at it.
  const match = image.length > 1000 ? null : REFERENCE.exec(image);
  if (match !== null)
    return (match[1] ?? '').length > MAX_NAME
      ? `repository name must not be more than ${MAX_NAME} characters`
      : undefined;
  const name = image.replace(/@.*$/, '').replace(/:[^/]*$/, '');
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const hasHost = /[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase();
  const path = hasHost ? name.slice(slash + 1) : `${slash === -1 ? 'library/' : ''}${name}`;
  if (path !== path.toLowerCase())
    return `invalid reference format: repository name (${path}) must be lowercase`;
  return 'invalid reference format';
}

/** Tags whose only sense is that no image has them. */
const MISSING_TAG = /:(?:404|non-?existent|does-?not-?exist|not-?found)$/;

/** Whether the tag itself says that there is no such image, as people write it to see a pull fail. */
export function isMissingTag(image: string): boolean {
  return MISSING_TAG.test(image);
}

/** Why no registry can have the image: its host cannot exist. Undefined: one may have it. */
export function missingHost(image: string): string | undefined {
  const slash = image.indexOf('/');
  const host = slash === -1 ? '' : image.slice(0, slash).replace(/:\d+$/, '');
  // `.invalid` never exists; upstream's own tests pull from a host of registry.k8s.io that does not.
  return host.endsWith('.invalid') || host.startsWith('invalid.') ? host : undefined;
}
