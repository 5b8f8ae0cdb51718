// Which package may import which: the "may import" column of the architecture, as data.
// Each row names the packages directly above; what those may import is allowed too.

const DIRECT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  workqueue: ['base'],
  apimachinery: ['base'],
  client: ['apimachinery'],
  informer: ['client', 'workqueue'],
  runtime: ['informer'],
  codegen: ['apimachinery'],
  apiserver: ['apimachinery'],
  controllers: ['runtime'],
  scheduler: ['runtime'],
  csi: ['runtime'],
  kubelet: ['runtime', 'csi'],
  directpv: ['runtime', 'csi'],
  cluster: ['controllers', 'scheduler', 'kubelet', 'directpv', 'apiserver', 'codegen'],
  cli: ['cluster'],
  windlass: ['cli'],
};

export const PACKAGES: readonly string[] = Object.keys(DIRECT);

/** Every package that `name` may import, directly or through the packages above it. */
export function allowedImports(name: string): ReadonlySet<string> {
  const allowed = new Set<string>();
  const visit = (current: string): void => {
    const above = DIRECT[current];
    if (above === undefined) throw new Error(`package "${current}" has no row in tools/layers.ts; add one`);
    for (const next of above) {
      allowed.add(next);
      visit(next);
    }
  };
  visit(name);
  return allowed;
}
