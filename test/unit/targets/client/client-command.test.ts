import { expect, it } from 'vitest';

import { commandOf } from '../../../../src/targets/client/client-command.ts';

const VARIABLES = {
  url: 'http://127.0.0.1:1',
  key: 'k',
  computer: 'Front desk',
  cups: '127.0.0.1:631',
  folder: '/tmp/desk',
};

it('fills in the variables in words and environment', () => {
  const client = {
    command: ['./client', '{url}/api', '--name={computer}'],
    environment: { KEY: '{key}', D: '{folder}' },
  };
  expect(commandOf(client, VARIABLES)).toEqual({
    command: ['./client', 'http://127.0.0.1:1/api', '--name=Front desk'],
    environment: { KEY: 'k', D: '/tmp/desk' },
  });
});

it('runs an image on the network of this machine, with its print system', () => {
  const client = { image: 'client:1', command: ['--name', '{computer}'], environment: { KEY: '{key}' } };
  const { command } = commandOf(client, VARIABLES);
  expect(command.join(' ')).toBe(
    'docker run --rm --init --network host --volume /tmp/desk:/tmp/desk ' +
      '--env KEY=k --env CUPS_SERVER=127.0.0.1:631 client:1 --name Front desk',
  );
});
