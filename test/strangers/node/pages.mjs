// Pages of lists.
import { unfit } from './errors.mjs';

const LIST_DEFAULT = 100;
const LIST_MOST = 250;

export function pageOf(query) {
  const one = (name, pattern, most) => {
    const values = query.getAll(name);
    const [value = ''] = values;
    if (values.length > 1 || (value !== '' && !pattern.test(value))) throw unfit(`${name} is not as it should be`);
    if (most !== undefined && Number(value) > most) throw unfit(`${name} is at most ${most}`);
    return value;
  };
  const limit = one('limit', /^[1-9]\d{0,8}$/, LIST_MOST);
  const after = one('after', /^\d{1,16}$/);
  return {
    limit: limit === '' ? LIST_DEFAULT : Number(limit),
    dir: one('dir', /^(asc|desc)$/) || 'desc',
    after: after === '' ? undefined : Number(after),
  };
}

/** A page of records, by id. */
export function paged(records, { limit, dir, after }) {
  const sign = dir === 'asc' ? 1 : -1;
  const sorted = records.toSorted((one, other) => sign * (one.id - other.id));
  const start = after === undefined ? 0 : sorted.findIndex(({ id }) => sign * (id - after) > 0);
  const from = start === -1 ? sorted.length : start;
  return { records: sorted.slice(from, from + limit), from, limit, total: sorted.length };
}
