type Options = Readonly<Record<string, unknown>>;

/**
 * The options of a write as admission sees them. A patch is an update to it, or a creation, and nobody there
 * asks whether it was by force.
 */
export function admittedOptions(
  kind: 'CreateOptions' | 'UpdateOptions' | 'DeleteOptions',
  options: Options,
): Options {
  const { force: _, ...others } = options;
  return { ...others, kind, apiVersion: 'meta.k8s.io/v1' };
}
