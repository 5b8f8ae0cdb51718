import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResourceType } from '@windlass/apimachinery';
import type { CustomResourceDefinition } from '@windlass/apimachinery/api/apiextensions/v1';
import {
  ACCESS_FOLDER,
  AccessRecorder,
  type AccessRecorderOptions,
  writeAccessFile,
} from '@windlass/codegen';

export interface RecordAccessOptions extends AccessRecorderOptions {
  /** The kinds of the operator, which may own others. @default only the owners */
  readonly definitions?: readonly CustomResourceDefinition[];
  /** Where the records of all test files are. @default '.windlass/access', beside the nearest package.json */
  readonly folder?: string | URL;
}

/** With these, only a part of a file's tests runs, and the record of the whole file stays as it was. */
const PARTIAL = /^--test-(?:name-pattern|skip-pattern|only)/;

/**
 * A recorder whose notes are kept when this test file ends and all of its tests have passed.
 * `windlass generate manifests` derives the roles from those of all test files.
 */
export function recordAccess(options: RecordAccessOptions = {}): AccessRecorder {
  const { owners = [], definitions = [] } = options;
  const recorder = new AccessRecorder({ owners: [...owners, ...definitions.flatMap(kindsOf)] });
  const test = process.argv[1];
  if (test === undefined || process.execArgv.some((flag) => PARTIAL.test(flag))) return recorder;
  const folder = options.folder ?? join(projectOf(test), ACCESS_FOLDER);
  const path = typeof folder === 'string' ? folder : fileURLToPath(folder);
  process.once('exit', (code) => {
    if (code === 0) writeAccessFile(path, { test, accesses: recorder.accesses });
  });
  return recorder;
}

/** One for each version. */
function kindsOf({ spec }: CustomResourceDefinition): ResourceType[] {
  const { group, names, scope, versions } = spec;
  const { kind, plural } = names;
  return versions.map(({ name: version }) => ({
    group,
    version,
    kind,
    plural,
    namespaced: scope === 'Namespaced',
  }));
}

/** The nearest folder with a package.json. */
function projectOf(file: string): string {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (folder === dirname(folder)) return process.cwd();
  }
}
