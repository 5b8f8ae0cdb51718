import { table } from '../generated/registration-table.ts';
import { methodsOf } from '../grpc/service.ts';

export const REGISTRATION_METHODS = methodsOf(table, 'Registration');
