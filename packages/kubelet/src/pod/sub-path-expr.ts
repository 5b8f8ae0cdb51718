import type { DeepReadonly } from '@windlass/apimachinery';
import type { Container } from '@windlass/apimachinery/api/core/v1';
import { expand } from '../environment/expand.ts';

/** Variables that the node itself adds, for each service. */
const OF_SERVICES = /_(?:SERVICE_HOST|SERVICE_PORT|PORT)(?:_[A-Z0-9_]+)?$/;

/** What is wrong with where a container mounts its volumes, in the node agent's words; undefined: nothing. */
export function subPathProblem(
  { volumeMounts = [] }: DeepReadonly<Container>,
  environment: ReadonlyMap<string, string>,
): string | undefined {
  for (const { subPath, subPathExpr } of volumeMounts) {
    const missing = new Set<string>();
    const path =
      subPathExpr === undefined || subPathExpr === ''
        ? (subPath ?? '')
        : expand(subPathExpr, (name) => {
            const value = environment.get(name) ?? '';
            if (value === '' && !OF_SERVICES.test(name)) missing.add(name);
            return value;
          });
    if (missing.size > 0) return `missing value for ${[...missing].toSorted().join(', ')}`;
    if (path.startsWith('/')) return `error SubPath \`${path}\` must not be an absolute path`;
    if (path.split('/').includes('..'))
      return `unable to provision SubPath \`${path}\`: must not contain '..'`;
  }
  return undefined;
}
