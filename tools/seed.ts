// Loaded before each test file where WINDLASS_SEED is set: property tests then take the same cases each time. The
// gate sets it, so that a landing fails for what it changed and not for a case that nobody had met before; without
// it every run takes new cases, and prints the seed of a failure.
import { seedOf } from '@windlass/base/testing';
import * as fc from 'fast-check';

const seed = seedOf(process.env);
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
