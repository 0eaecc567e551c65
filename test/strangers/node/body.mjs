// Bodies: JSON, or forms with the same keys; and the fields that are taken out of them.
import { Refusal, unfit } from './errors.mjs';

const DEPTH_MOST = 30;

export function readBody(headers, bytes) {
  const [type] = (headers['content-type'] ?? 'application/json').split(';');
  const kind = type.trim().toLowerCase();
  if (bytes.length === 0) return undefined;
  if (kind === 'application/x-www-form-urlencoded') return formOf(bytes.toString());
  if (kind !== '' && kind !== 'application/json') throw new Refusal(415, 'UnknownMedia', `a body is no ${kind} here`);
  let value;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw new Refusal(400, 'InvalidContent', error.message);
  }
  if (depthOf(value) > DEPTH_MOST) throw new Refusal(400, 'InvalidContent', 'the body nests too deep');
  return value;
}

function depthOf(value) {
  let level = [value];
  for (let depth = 0; ; depth++) {
    if (level.length === 0 || depth > DEPTH_MOST) return depth;
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
}

/** `a[b]=1&c[]=2&c[]=3` → {a: {b: '1'}, c: ['2', '3']} */
function formOf(text) {
  const root = new Map();
  for (const [name, value] of new URLSearchParams(text)) {
    const parts = [name.split('[')[0], ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part)];
    if (parts.length > DEPTH_MOST) throw new Refusal(400, 'InvalidContent', 'the form nests too deep');
    let at = root;
    for (const [index, part] of parts.entries()) {
      const key = part === '' && index > 0 ? String(at.size) : part;
      if (index === parts.length - 1) at.set(key, value);
      else {
        if (!(at.get(key) instanceof Map)) at.set(key, new Map());
        at = at.get(key);
      }
    }
  }
  return plain(root);
}

function plain(map) {
  const isList = map.size > 0 && [...map.keys()].every((key, index) => key === String(index));
  const values = [...map].map(([key, value]) => [key, value instanceof Map ? plain(value) : value]);
  return isList ? values.map(([, value]) => value) : Object.fromEntries(values);
}

export function fieldsOf(body) {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw unfit('the body has to be an object');
  return body;
}

const has = (value) => value !== undefined && value !== null;

/** @returns undefined where it is left out, which only an optional one may be */
export function text(fields, name, { optional = false, least = 1, most = 20_000, bytes } = {}) {
  const value = fields[name];
  if (!has(value)) {
    if (optional) return undefined;
    throw unfit(`${name} is needed`);
  }
  if (typeof value !== 'string') throw unfit(`${name} has to be a string`);
  if (value.length < least || value.length > most) throw unfit(`${name} is too short or too long`);
  if (bytes !== undefined && Buffer.byteLength(value) < bytes) throw unfit(`${name} has fewer than ${bytes} bytes`);
  return value;
}

export function whole(fields, name, { optional = false, least = 0, most = Number.MAX_SAFE_INTEGER } = {}) {
  const value = fields[name];
  if (!has(value)) {
    if (optional) return undefined;
    throw unfit(`${name} is needed`);
  }
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
  if (!Number.isSafeInteger(number) || number < least || number > most) throw unfit(`${name} is no fitting integer`);
  return number;
}

export function flag(fields, name, { optional = false } = {}) {
  const value = fields[name];
  if (!has(value) && optional) return undefined;
  if (value === true || value === 'true' || value === '1') return true;
  if (value === false || value === 'false' || value === '0') return false;
  throw unfit(`${name} has to be true or false`);
}

/** An empty list stands for an empty object. */
export function object(fields, name) {
  const value = fields[name];
  if (!has(value)) return undefined;
  if (Array.isArray(value) && value.length === 0) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw unfit(`${name} has to be an object`);
  return value;
}
