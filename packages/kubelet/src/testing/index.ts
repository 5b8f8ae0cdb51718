export { DRIVER, FakeDriver } from './fake-driver.ts';
