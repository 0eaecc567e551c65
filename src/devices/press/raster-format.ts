/** Formats of documents that the press takes beside PDF, and how their first bytes show them. */

export type RasterFormat = 'image/pwg-raster' | 'image/urf' | 'image/jpeg';

export const PWG_SYNC = 'RaS2';
export const URF_SYNC = 'UNIRAST\0';
const JPEG_SYNC = '\xff\xd8\xff';

/** The format that the first bytes of a document show; undefined for any other. */
export function rasterFormatOf(bytes: Uint8Array): RasterFormat | undefined {
  const head = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (head.startsWith(PWG_SYNC)) return 'image/pwg-raster';
  if (head === URF_SYNC) return 'image/urf';
  return head.startsWith(JPEG_SYNC) ? 'image/jpeg' : undefined;
}
