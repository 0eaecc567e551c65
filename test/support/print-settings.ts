/**
 * The settings of a job without options on a printer that takes each page's own size.
 */

import { mmToPoints, type Paper, type PrintSettings } from '../../src/devices/press/print-settings.ts';

export const PLAIN: PrintSettings = {
  pages: null,
  copies: 1,
  collate: true,
  duplex: 'one-sided',
  nup: 1,
  paper: null,
  fitToPage: false,
  rotate: null,
  gray: false,
  tray: null,
  media: null,
  dpi: null,
};

export const A4: Paper = { name: 'A4', widthPt: mmToPoints(210), heightPt: mmToPoints(297) };
export const A4_LANDSCAPE: Paper = { name: 'A4 landscape', widthPt: A4.heightPt, heightPt: A4.widthPt };
