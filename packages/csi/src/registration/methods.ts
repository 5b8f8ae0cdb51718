import { methodsOf } from '@windlass/grpc';
import { table } from '../generated/registration-table.ts';

export const REGISTRATION_METHODS = methodsOf(table, 'Registration');
