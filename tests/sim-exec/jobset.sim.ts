// The JobSet operator, sigs.k8s.io/jobset, under Sieve's three patterns.
import { ensureGoTool } from '../real/harness/go-tool.ts';
import jobset from './jobset.ts';
import { operatorTests } from './operator-tests.ts';

operatorTests('the JobSet operator', jobset, {
  commandOf: async () => {
    const program = await ensureGoTool({ folder: 'jobset', module: 'sigs.k8s.io/jobset' });
    return `${program} --config={folder}/config.yaml`;
  },
});
