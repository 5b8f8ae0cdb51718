/**
 * A text with its `$(NAME)` replaced, as Kubernetes does in commands, variables and paths: `$$` is one dollar sign,
 * and a reference that is not closed stays as it is.
 */
export function expand(text: string, valueOf: (name: string) => string): string {
  return text.replace(/\$\$|\$\(([^)]*)\)/g, (whole, name: string | undefined) =>
    whole === '$$' ? '$' : valueOf(name ?? ''),
  );
}
