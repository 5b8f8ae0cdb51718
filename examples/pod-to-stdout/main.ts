import { runExample } from '../run.ts';
import { registerPodToStdout } from './controller.ts';

await runExample('pod-to-stdout', registerPodToStdout);
