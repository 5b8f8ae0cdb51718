// How large parts of the resource.k8s.io kinds may be.

export const MAX_REQUESTS = 32;
export const MAX_CONSTRAINTS = 32;
export const MAX_CONFIGS = 32;
export const MAX_SELECTORS = 32;
export const MAX_ALTERNATIVES = 8;
export const MAX_RESULTS = 32;
export const MAX_CONSUMERS = 256;
export const MAX_EXPRESSION_LENGTH = 10 * 1024;
export const MAX_OPAQUE_LENGTH = 10 * 1024;
export const MAX_BINDING_CONDITIONS = 4;

export const MAX_DRIVER_LENGTH = 63;
export const MAX_DOMAIN_LENGTH = 63;
export const MAX_ID_LENGTH = 32;
export const MAX_POOL_NAME_LENGTH = 253;
export const MAX_ATTRIBUTE_LENGTH = 64;
export const MAX_ATTRIBUTES_AND_CAPACITIES = 32;

export const MAX_DEVICES = 128;
/** Of a slice with taints or counters, whose devices take more room. */
export const MAX_ADVANCED_DEVICES = 64;
export const MAX_TAINTS = 16;
export const MAX_COUNTER_SETS = 8;
export const MAX_COUNTERS = 32;
export const MAX_COUNTER_CONSUMPTIONS = 2;
export const MAX_CAPACITY_OPTIONS = 10;

export const MAX_DEVICE_CONDITIONS = 8;
export const MAX_DEVICE_DATA_LENGTH = 10 * 1024;
export const MAX_INTERFACE_NAME_LENGTH = 256;
export const MAX_HARDWARE_ADDRESS_LENGTH = 128;
export const MAX_DEVICE_IPS = 16;
