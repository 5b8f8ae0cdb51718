import { posix } from 'node:path';
import { builtinResources } from '@windlass/apimachinery';
import { UsageError } from '../command-line/exit.ts';
import { importedFrom, OPERATOR_FILE } from './operator-file.ts';

/** Where a kind is declared, and where what belongs to it is put. */
export interface KindHome {
  /** Below the project: `src/page`. */
  readonly folder: string;
  /** As files of that folder import the kind: `./resource.ts`. */
  readonly module: string;
  /** Whether it is one of Kubernetes' own. */
  readonly isBuiltin: boolean;
}

/** `WebSite` becomes `web-site`. */
export function kebabOf(kind: string): string {
  return kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
}

/** @throws UsageError when neither the operator nor Kubernetes has the kind */
export function homeOf(kind: string, operator: string): KindHome {
  const module = importedFrom(operator, kind);
  if (module?.startsWith('./') === true) {
    const file = posix.join('src', module);
    return { folder: posix.dirname(file), module: `./${posix.basename(file)}`, isBuiltin: false };
  }
  const found = builtinResources().resources.find(
    (resource) =>
      resource.kind === kind && /^v\d+$/.test(resource.version) && resource.verbs.includes('watch'),
  );
  if (found === undefined)
    throw new UsageError(
      `${OPERATOR_FILE} imports no ${kind}, and Kubernetes has no such kind; windlass add kind ${kind} makes one`,
    );
  const group = found.group === '' ? 'core' : (found.group.split('.')[0] ?? '');
  return {
    folder: `src/${kebabOf(kind)}`,
    module: `windlass/api/${group}/${found.version}`,
    isBuiltin: true,
  };
}
