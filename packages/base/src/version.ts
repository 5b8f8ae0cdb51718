/** Of the whole of Windlass; its packages are released together. */
export const VERSION = '0.1.0';
