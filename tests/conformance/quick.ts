/** What `.ci/run` takes of the suite: what is about the API itself, and takes seconds. */
export const QUICK: readonly string[] = [String.raw`\[sig-api-machinery\]`];

/** What waits for minutes, or wants the cluster for itself. */
export const QUICK_SKIP: readonly string[] = [
  String.raw`\[Serial\]`,
  String.raw`\[Slow\]`,
  String.raw`\[Disruptive\]`,
  // So upstream calls it.
  String.raw`\[Flaky\]`,
  // It waits until the server has forgotten a revision, five minutes later.
  'should support continue listing from the last key',
  // They look for a minute whether anything happens that should not.
  'Garbage collector should support orphan deletion of custom resources',
  'Garbage collector should orphan pods',
  'Garbage collector should delete jobs and pods created by cronjob',
  'CustomResourceDefinition Watch',
];
