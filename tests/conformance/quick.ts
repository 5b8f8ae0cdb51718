/** What `.ci/run` takes of the suite: specs of a few seconds that touch as much of the API as they can. */
export const QUICK: readonly string[] = [String.raw`\[sig-api-machinery\].*\[Conformance\]`];
