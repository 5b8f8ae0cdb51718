export { AlreadyInstrumentedError, type InstrumentOptions, instrument } from './instrument.ts';
export { type MetricProducerOptions, metricProducer, type RegistryProducer } from './metric-producer.ts';
