import { runExample } from '../run.ts';
import { register, webhooks } from './operator.ts';

await runExample('website', register, webhooks);
