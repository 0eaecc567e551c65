/**
 * Clipboard: copies text, also where the browser offers no clipboard because the page is not secure.
 */

export async function copyText(text: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'off-screen';
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
