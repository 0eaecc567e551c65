/**
 * A small app that prints: for each order an invoice on the office printer and a label at the desk.
 */

/** The shop, with the printing service it uses. */
export class Shop {
  #service;
  #authorization;
  #printers;

  /** @param {{ url: string, apiKey: string }} service */
  constructor({ url, apiKey }) {
    this.#service = url;
    this.#authorization = `Basic ${Buffer.from(`${apiKey}:`).toString('base64')}`;
  }

  /** Prints the papers of an order. @returns the ids of the jobs */
  async place({ number, customer, copies = 1 }) {
    const invoice = await this.#print('Laser', {
      title: `Invoice ${number}`,
      contentType: 'pdf_base64',
      content: pdf(`Invoice ${number} for ${customer}`),
      options: { copies },
    });
    const label = await this.#print('Label 4x6', {
      title: `Label ${number}`,
      contentType: 'raw_base64',
      content: Buffer.from(`^XA^FD${customer}^FS^XZ`).toString('base64'),
    });
    return { invoice, label };
  }

  async #print(printer, job) {
    this.#printers ??= await this.#call('GET', '/printers');
    const { id } = this.#printers.find(({ name }) => name === printer);
    return this.#call('POST', '/printjobs', { printerId: id, source: 'shop', ...job });
  }

  async #call(method, path, body) {
    const response = await fetch(this.#service + path, {
      method,
      headers: { authorization: this.#authorization, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer;
  }
}

/** One line of text as a PDF. */
function pdf(line) {
  const text = `BT /F1 18 Tf 72 720 Td (${line}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return String(offset).padStart(10, '0');
  });
  const table = offsets.map((offset) => `${offset} 00000 n \n`).join('');
  const end = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return Buffer.from(`${file}xref\n0 6\n0000000000 65535 f \n${table}${end}`).toString('base64');
}
