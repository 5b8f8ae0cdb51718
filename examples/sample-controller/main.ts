import { runExample } from '../run.ts';
import { registerFooController } from './controller.ts';

await runExample('sample-controller', registerFooController);
