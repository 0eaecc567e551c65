/**
 * Device id: how a printer names itself to an operating system (IEEE 1284), which chooses a driver by it.
 */

export interface PrinterModel {
  readonly maker: string;
  readonly model: string;
}

/** The maker is the first word of what its driver calls a model. */
export function modelOf(description: string): PrinterModel {
  const plain =
    description
      .replaceAll(/[^\x20-\x7e]/g, '')
      .replaceAll(/[;:,]/g, ' ')
      .trim() || 'Printer';
  const [maker = 'Printer', ...model] = plain.split(/\s+/);
  return { maker, model: model.join(' ') || maker };
}

/** @param languages - page description languages, separated by commas */
export function deviceId(description: string, languages: string): string {
  const { maker, model } = modelOf(description);
  return `MFG:${maker};MDL:${model};CLS:PRINTER;CMD:${languages};`;
}
