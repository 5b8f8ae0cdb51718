// The protobuf engine, for the protocols of other packages. Kubernetes' own objects are in the package's main entry.
export { isJsonObject, type JsonObject, type MessageCodec } from './codec.ts';
export { Enumeration } from './enumeration.ts';
export {
  BOOL,
  BYTES,
  DOUBLE,
  ENUM,
  Field,
  INT32,
  INT64,
  MAP,
  MESSAGE,
  RAW_BYTES,
  REPEATED,
  SAFE_INT64,
  SINGLE,
  STRING,
  UINT64,
} from './field.ts';
export { StructCodec } from './struct-codec.ts';
export { VARINT, WireReader } from './wire-reader.ts';
export { WireWriter } from './wire-writer.ts';
