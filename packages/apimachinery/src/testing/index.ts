// For tests of code that takes what a server or a cache gives.
export { served } from './served.ts';
