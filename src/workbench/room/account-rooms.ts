/**
 * Account rooms: the accounts of a workbench that have a room. The main one is made at the start, isolated ones when
 * tests ask for them.
 */

import { usageError } from '../../common/actionable-error.ts';
import { ANYWHERE, FileReach, type Reach } from '../../common/file-reach.ts';
import type { Exposure } from '../../hardware/exposed-room.ts';
import { LinkError } from '../../link/device-link.ts';
import type { AccountView, NewAccountView } from '../../record/control-types.ts';
import type { NewAccount } from '../../service/domain/account.ts';
import { ApiError, notFound } from '../../service/gate/api-error.ts';
import type { ServiceAdmin } from '../../service/service-admin.ts';
import { newSecret } from '../new-secret.ts';
import { AccountRoom, type AccountRoomOptions } from './account-room.ts';
import type { RoomChoice } from './room-choice.ts';

/** A workbench is for tests on one machine: more at the same time would be a leak. */
const MOST_ISOLATED = 1_000;

interface AccountRoomsOptions extends Pick<AccountRoomOptions, 'clock' | 'random' | 'press' | 'onSheetOut'> {
  readonly service: ServiceAdmin;
  /** Known once the service listens. */
  readonly serviceUrl: () => string;
  /** Key of the account that is unrelated to the main one. */
  readonly secondApiKey: string;
}

interface FreeExposure {
  readonly exposure: Exposure;
  readonly host: string | undefined;
}

export class AccountRooms {
  readonly #options: AccountRoomsOptions;
  #exposure: FreeExposure | undefined;
  /** By account, the main one first. */
  readonly #rooms = new Map<number, AccountRoom>();

  constructor(options: AccountRoomsOptions) {
    this.#options = options;
  }

  get main(): AccountRoom | undefined {
    return this.#rooms.values().next().value;
  }

  get all(): readonly AccountRoom[] {
    return [...this.#rooms.values()];
  }

  /** Makes the room of the main account. @throws ActionableError when it cannot be made */
  furnish(apiKey: string, choice: RoomChoice): void {
    const accounts = this.#options.service.accounts();
    const found = accounts.find(({ apiKeys }) => [...apiKeys.values()].includes(apiKey));
    // A data file made with another key: its room cannot connect, as its attempt will say.
    this.#add((found ?? accounts[0])?.id ?? 0, apiKey, choice, { reach: ANYWHERE });
  }

  /** Connects the main room. @throws ActionableError, LinkError */
  async connect(): Promise<void> {
    await this.main?.connect().catch(explainRefusal);
  }

  /**
   * Gives the printers of the main room addresses for operating systems, and those of isolated accounts from now on, at
   * ports that are free.
   *
   * @throws ActionableError when a port is taken
   */
  async expose(exposure: Exposure, host: string | undefined): Promise<void> {
    await this.main?.expose(exposure, host);
    // On a network there can be one of a name.
    const protocols = Object.keys(exposure).filter((protocol) => protocol !== 'dns-sd');
    this.#exposure = { exposure: Object.fromEntries(protocols.map((protocol) => [protocol, 0])), host };
  }

  /** The room of an account; of the main one where none is named. @throws ApiError when it has none */
  of(accountId: number | undefined): AccountRoom {
    const found = accountId === undefined ? this.main : this.#rooms.get(accountId);
    if (found) return found;
    throw notFound(`there is no account ${accountId ?? ''} with a room`);
  }

  /** All accounts of the service. */
  accounts(): AccountView[] {
    const { service, secondApiKey } = this.#options;
    const main = this.main?.accountId;
    return service.accounts().map(({ id, email, parentId, apiKeys }) => {
      const name = email.split('@')[0] ?? '';
      if (id === main) return { id, name, kind: 'main' };
      if (this.#rooms.has(id)) return { id, name, kind: 'isolated' };
      const isSecond = [...apiKeys.values()].includes(secondApiKey);
      return { id, name, kind: parentId === null && isSecond ? 'second' : 'child' };
    });
  }

  /** Makes an account with a room of its own. @throws ActionableError when the room cannot be made */
  async create(choice: RoomChoice): Promise<NewAccountView> {
    const { service } = this.#options;
    if (this.#rooms.size > MOST_ISOLATED) {
      throw new ApiError(409, 'TooMany', `there are ${MOST_ISOLATED} isolated accounts: delete some`);
    }
    const apiKey = newSecret();
    const { id } = service.createAccount(newAccount(`isolated-${apiKey.slice(0, 6)}`, apiKey));
    try {
      const room = this.#add(id, apiKey, choice, { reach: new FileReach('.'), stream: `of account ${id}` });
      if (this.#exposure) await room.expose(this.#exposure.exposure, this.#exposure.host);
      await room.connect();
      return { id, apiKey };
    } catch (error) {
      await this.#rooms.get(id)?.close();
      this.#rooms.delete(id);
      service.removeAccount(id);
      throw error;
    }
  }

  /** @throws ApiError when it is not an isolated account */
  async remove(id: number): Promise<void> {
    const room = this.#rooms.get(id);
    if (!room || room === this.main) throw notFound(`there is no isolated account ${id}`);
    this.#rooms.delete(id);
    await room.close();
    this.#options.service.removeAccount(id);
  }

  /** Takes all rooms down. Isolated accounts go: the tests that made them are over. */
  async clear(): Promise<void> {
    const { main, all } = this;
    for (const room of all) if (room !== main) this.#rooms.delete(room.accountId);
    await Promise.all(all.map((room) => (room === main ? room.clear() : room.close())));
  }

  /** Takes one account back to its seed. @throws ApiError when it has no room */
  async restore(accountId: number): Promise<void> {
    const room = this.of(accountId);
    await room.clear();
    this.#options.service.clearAccount(accountId);
    await room.restore();
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((room) => room.close()));
  }

  #add(accountId: number, apiKey: string, choice: RoomChoice, { reach, stream }: RoomSource): AccountRoom {
    const { clock, random, press, onSheetOut, serviceUrl } = this.#options;
    const room = new AccountRoom({
      accountId,
      apiKey,
      choice,
      reach,
      clock,
      random: stream === undefined ? random : random.stream(stream),
      serviceUrl: serviceUrl(),
      press,
      onSheetOut,
    });
    this.#rooms.set(accountId, room);
    return room;
  }
}

/** Where a room comes from: a program may name any profile of its own, the control API those where platen runs. */
interface RoomSource {
  readonly reach: Reach;
  /** The stream of random numbers; the workbench's own unless given. */
  readonly stream?: string;
}

/** @param name - the main account is `first` */
export function newAccount(name: string, apiKey: string): NewAccount {
  return {
    firstname: '-',
    lastname: '-',
    email: `${name}@example.test`,
    creatorRef: null,
    parentId: null,
    isIntegrator: name === 'first',
    tags: {},
    apiKeys: { platen: apiKey },
  };
}

function explainRefusal(error: unknown): never {
  if (!(error instanceof LinkError) || error.failure.reason !== 'unauthorized') throw error;
  throw usageError(
    'the data file was made with another API key: the room cannot connect',
    'Start with the --key it was made with, or with another --data file.',
    { cause: error },
  );
}
