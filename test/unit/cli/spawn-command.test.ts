import { expect, it } from 'vitest';

import { spawnableOf } from '../../../src/cli/exec.ts';

it('starts a command as it is where there are no scripts in the way', () => {
  expect(spawnableOf(['npm', 'test', '--', '-t', 'two words'], 'linux')).toEqual({
    file: 'npm',
    args: ['test', '--', '-t', 'two words'],
    windowsVerbatimArguments: false,
  });
});

it.each([
  [['npm', 'test'], 'npm ^"test^"'],
  [['npx', 'vitest', '-t', 'two words'], 'npx ^"vitest^" ^"-t^" ^"two^ words^"'],
  [['C:\\Program Files\\node.exe', 'a.js'], 'C:\\Program^ Files\\node.exe ^"a.js^"'],
  [['node', 'say "hi"'], 'node ^"say^ \\^"hi\\^"^"'],
  [['node', 'a\\'], 'node ^"a\\\\^"'],
  [['node', '%PATH%&calc'], 'node ^"^%PATH^%^&calc^"'],
  [['node', ''], 'node ^"^"'],
])('gives %j to the shell of Windows as one line', (command, line) => {
  expect(spawnableOf(command, 'win32', 'C:\\cmd.exe')).toEqual({
    file: 'C:\\cmd.exe',
    args: ['/d', '/s', '/c', `"${line}"`],
    windowsVerbatimArguments: true,
  });
});
