/** Checks of the tags of an account. */

import * as fc from 'fast-check';

import type { Mismatch } from '../../oracle/mismatch.ts';
import { LIMITS } from '../../specification/limits.ts';
import type { Rules } from '../check.ts';
import {
  expectErrorObject,
  expectNoTexts,
  expectRefusal,
  expectSuccess,
  expectTags,
  expectTexts,
  type Answer,
} from '../expect/answer.ts';
import type { CheckContext } from '../context/context.ts';
import { firstOf } from '../expect/that.ts';
import { tagPath } from '../context/account-paths.ts';
import { INHERITED_NAMES, postTag } from '../context/keys-and-tags.ts';

/** Writes a tag of the account that is removed after the check. */
async function writeOwn(context: CheckContext, name: string, value: string): Promise<Answer> {
  const answer = await postTag(context, name, value);
  if (answer.status < 300) context.removeLater(tagPath(name));
  return answer;
}

/** A name of this check alone, of a given length at most 64. */
function tagName({ naming }: CheckContext, length = 24): string {
  return `Check-${naming.hex(length - 6)}`;
}

async function expectValue({ api }: CheckContext, name: string, value: string): Promise<Mismatch | undefined> {
  const answer = await api.get(tagPath(name));
  return firstOf(expectSuccess(answer), expectTexts(answer, [value]));
}

/** Values that careless services trim, convert, unescape or take for none. */
const ODD_VALUES = [' at both ends ', '\tx\n', '0', '1e3', 'null', 'true', '"quoted"', '%41+&amp;', '{}', '__proto__'];

/** More than a page or a screen shows. */
const SEVERAL = 12;

const LETTERS_AND_DIGITS = 'accounts/tag-name-letters-digits';
const { tagNameCharacters, tagValueCharacters } = LIMITS;

export const TAG_RULES: Rules = {
  'tags/life': {
    title: 'A tag can be created, read, replaced, found in the account object, and removed',
    async run(context) {
      const { api, judge, uniqueText } = context;
      // Underscores and dots are patterns where a careless service searches.
      const name = `${tagName(context)}_.`;
      const [first, second] = [uniqueText('first'), uniqueText('second')];
      const missing = await api.get(tagPath(name));
      judge('accounts/tag-create', expectSuccess(await writeOwn(context, name, first)));
      judge('accounts/tag-read', await expectValue(context, name, first));
      judge('accounts/tag-update', expectSuccess(await writeOwn(context, name, second)));
      judge('accounts/tag-update', await expectValue(context, name, second));
      const account = await api.get('/whoami');
      judge('accounts/tag-in-account-object', expectTags(account, { [name]: second }));
      const neighbours = [`${name}x`, name.slice(0, -1), name.replace('_.', 'x.'), name.replace('_.', '_x')];
      for (const other of neighbours) context.require(expectSuccess(await writeOwn(context, other, other)));
      const removed = expectSuccess(await api.delete(tagPath(name)));
      for (const other of neighbours) judge('accounts/tag-delete', await expectValue(context, other, other));
      const gone = await api.get(tagPath(name));
      const afterwards = expectNoTexts(await api.get('/whoami'), [name, second]);
      judge('accounts/tag-delete', removed, expectNoTexts(gone, [second]), afterwards);
      for (const answer of [missing, gone]) {
        judge('accounts/tag-read-missing', expectErrorObject(answer));
      }
    },
  },
  'tags/names': {
    title: 'A tag name consists of up to 64 letters, digits, dots, dashes and underscores',
    async run(context) {
      const { judge, naming } = context;
      const accepted = async (name: string): Promise<Mismatch | undefined> =>
        firstOf(expectSuccess(await writeOwn(context, name, name)), await expectValue(context, name, name));
      judge(LETTERS_AND_DIGITS, await accepted(`Az09${naming.hex(8)}`));
      for (const one of ['.', '-', '_']) {
        judge('accounts/tag-name-dot-dash-underscore', await accepted(`${one}${naming.hex(8)}.-_x_${one}`));
      }
      for (const name of INHERITED_NAMES) {
        // One of the account's own stays as it is.
        if ((await context.api.get(tagPath(name))).status < 300) continue;
        judge(/_/.test(name) ? 'accounts/tag-name-dot-dash-underscore' : LETTERS_AND_DIGITS, await accepted(name));
      }
      judge('limits/tag-name-at-accepted', await accepted(tagName(context, tagNameCharacters.value)));
      const several = Array.from({ length: SEVERAL }, () => tagName(context));
      for (const name of several) context.require(expectSuccess(await writeOwn(context, name, name)));
      const own = Object.fromEntries(several.map((name) => [name, name]));
      judge('accounts/tag-in-account-object', expectTags(await context.api.get('/whoami'), own));
      const tooLong = tagName(context, tagNameCharacters.value + 1);
      judge('limits/tag-name-over-refused', expectRefusal(await writeOwn(context, tooLong, 'x')));
      for (const other of [' ', '$', ':', ',', '/', '~', '+', '\n', '\u0000']) {
        for (const name of [`${naming.hex(8)}${other}x`, `${naming.hex(8)}${other}`]) {
          judge('accounts/tag-name-other-refused', expectRefusal(await postTag(context, name, 'x')));
        }
      }
    },
  },
  'tags/values': {
    title: 'A tag value is any string of up to 1024 characters, and comes back as it was sent',
    async run(context) {
      const { judge } = context;
      const name = tagName(context);
      const written = async (value: string): Promise<Mismatch | undefined> =>
        firstOf(expectSuccess(await writeOwn(context, name, value)), await expectValue(context, name, value));
      const mismatch = await context.property({
        inputs: fc.oneof(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.constantFrom(...ODD_VALUES)),
        judge: written,
      });
      judge('accounts/tag-value-string', mismatch);
      // As plain text it would be a request without a body.
      if ((await context.speak('tag-body')) !== 'text') judge('accounts/tag-value-string', await written(''));
      // The second has twice as many bytes.
      for (const character of ['v', '\u00e9']) {
        const longest = character.repeat(tagValueCharacters.value);
        judge('limits/tag-value-at-accepted', await written(longest));
        // Its first 1024 characters are others than those that are stored.
        const answer = await writeOwn(context, name, `w${longest}`);
        judge('limits/tag-value-over-refused', expectRefusal(answer));
        judge('limits/tag-value-over-refused', await expectValue(context, name, longest));
      }
      judge('accounts/tag-update', await written('x'));
      context.require(expectSuccess(await context.api.delete(tagPath(name))));
      judge('accounts/tag-create', await written('anew'));
    },
  },
  'tags/accounts-apart': {
    title: 'Two accounts can have tags of the same name with different values',
    needs: ['child-account'],
    async run(context) {
      const { api, children, judge, require } = context;
      const child = await children.create();
      const name = tagName(context);
      require(expectSuccess(await writeOwn(context, name, 'of the parent')));
      require(expectSuccess(await postTag(context, name, 'of the child', child.api)));
      const [mine, other] = [await api.get(tagPath(name)), await child.api.get(tagPath(name))];
      judge('accounts/tags-per-account', expectTexts(mine, ['of the parent']), expectTexts(other, ['of the child']));
      require(expectSuccess(await child.api.delete(tagPath(name))));
      judge('accounts/tags-per-account', await expectValue(context, name, 'of the parent'));
    },
  },
};
