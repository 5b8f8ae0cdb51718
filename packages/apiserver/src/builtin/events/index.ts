import type { BuiltinKind } from '../define-kind.ts';
import { event } from './event/index.ts';

export const eventsKinds: readonly BuiltinKind[] = [event];
