/**
 * Test page: a small PDF made here, so that a newcomer to the page can print something.
 */

/** A page for any paper: as large as a label, since some printers keep the size, and enlarged by those that fit it. */
export function testPage(text: string): { readonly content: string; readonly options: object } {
  return { content: testPageBase64(text), options: { fit_to_page: true } };
}

/** A PDF of one page with this text, as base64. Text beyond ASCII is not shown. */
function testPageBase64(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, String.raw`\$&`);
  const drawing = `BT /F1 18 Tf 24 380 Td (${plain}) Tj ET 24 372 m 264 372 l S`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 288 432]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${drawing.length}>>stream\n${drawing}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let pdf = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = pdf.length;
    pdf += `${index + 1} 0 obj${object}endobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = ['0000000000 65535 f ', ...offsets.map((offset) => `${offset} 00000 n `)].join('\n');
  const trailer = `trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${pdf.length}\n%%EOF`;
  return btoa(`${pdf}xref\n0 ${objects.length + 1}\n${table}\n${trailer}`);
}
