import { runExample } from '../run.ts';
import { registerWebsiteController } from './controller.ts';

await runExample('website', registerWebsiteController);
