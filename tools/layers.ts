// Which package may import which: the "may import" column of the architecture, as data.
// Each row names the packages directly above; what those may import is allowed too.

const DIRECT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  workqueue: ['base'],
  apimachinery: ['base'],
  streams: ['base'],
  grpc: ['apimachinery'],
  client: ['apimachinery', 'streams'],
  informer: ['client', 'workqueue'],
  runtime: ['informer'],
  console: ['runtime'],
  opentelemetry: ['runtime'],
  codegen: ['apimachinery'],
  apiserver: ['apimachinery', 'streams', 'grpc'],
  controllers: ['runtime'],
  scheduler: ['runtime'],
  csi: ['runtime', 'grpc'],
  kubelet: ['runtime', 'csi', 'grpc', 'streams'],
  directpv: ['runtime', 'csi'],
  cluster: ['controllers', 'scheduler', 'kubelet', 'directpv', 'apiserver', 'codegen'],
  simulation: ['cluster'],
  cli: ['cluster', 'console', 'simulation'],
  windlass: ['cli', 'opentelemetry'],
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

/**
 * The order of a package's folders, from the lowest: each may import those before it. A file beside them is above all,
 * unless it has a place here too.
 * The folders of packages that are not here may stand in any order in which none imports itself through others.
 */
export const FOLDER_ORDER: Readonly<Record<string, readonly string[]>> = {
  apimachinery: [
    'object.ts',
    'served.ts',
    'resource.ts',
    'errors.ts',
    'transport.ts',
    'registry-tables.ts',
    'generated',
    'text',
    'json',
    'yaml',
    'quantities',
    'time',
    'cron',
    'names',
    'status',
    'metadata',
    'selectors',
    'schema',
    'protobuf',
    'typed-form',
    'patches',
    'apply',
    'placement',
    'quota',
    'bootstrap-tokens',
  ],
  apiserver: [
    'storage',
    'access',
    'request',
    'resource',
    'exchange',
    'audit',
    'flowcontrol',
    'custom',
    'admission',
    'verbs',
    'validation',
    'connect',
    'builtin',
    'metrics',
    'definitions',
    'large-writes',
    'bootstrap',
    'lifetime',
    'discovery',
    'openapi',
    'paths',
    'aggregation',
    'server',
  ],
  simulation: [
    'time',
    'plan',
    'machine',
    'journal-entry.ts',
    'state.ts',
    'simulation.ts',
    'world',
    'oracles',
    'run',
    'exec',
    'report',
  ],
  informer: [
    'errors.ts',
    'versions',
    'list-watch',
    'reflector',
    'metrics.ts',
    'cache',
    'handlers',
    'deltas',
    'shared',
  ],
};
