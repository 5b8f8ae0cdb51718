import { runExample } from '../run.ts';
import { registerFunctionController } from './controller.ts';

await runExample('function', registerFunctionController);
