import { PDFDocument } from 'pdf-lib';
import { expect, it } from 'vitest';

import { testPageBase64 } from '../../../../src/dashboard/jobs/test-page.ts';

it.each(['Hello from platen', 'a (b) \\ c', 'Drucker für Café'])(
  'the test page of %j is a PDF of one A4 page',
  async (text) => {
    const pdf = await PDFDocument.load(Buffer.from(testPageBase64(text), 'base64'));
    expect(pdf.getPageCount()).toBe(1);
    expect(pdf.getPage(0).getSize()).toEqual({ width: 595, height: 842 });
  },
);
