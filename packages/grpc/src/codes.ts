/** gRPC's status codes; the place in the list is the number on the wire. */
export const GRPC_CODES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

/** What a failed call fails with. */
export type GrpcCode = Exclude<(typeof GRPC_CODES)[number], 'OK'>;

export const grpcNumber = (code: GrpcCode | 'OK'): number => GRPC_CODES.indexOf(code);

/** A number that no code has is UNKNOWN, as gRPC wants it. */
export function grpcCode(status: string): GrpcCode | 'OK' {
  return (/^\d+$/.test(status) ? GRPC_CODES[Number(status)] : undefined) ?? 'UNKNOWN';
}

/** Go's spelling, `InvalidArgument`, which the metrics of the usual sidecars have. */
export function grpcCodeLabel(code: GrpcCode | 'OK'): string {
  if (code === 'OK') return code;
  // Go spells this one the American way.
  if (code === 'CANCELLED') return 'Canceled';
  return code.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
