import type { BuiltinKind } from '../define-kind.ts';
import { cronJob } from './cron-job/index.ts';
import { job } from './job/index.ts';

export const batchKinds: readonly BuiltinKind[] = [cronJob, job];
