/** An address of a person: `imA:user:42`. */
export interface PersonAddress {
  readonly address: string;
  readonly channelId: string;
  readonly userId: string;
}

/** Ids of everything stored about a person. */
export interface PersonIds {
  readonly addresses: readonly PersonAddress[];
  /** Conversations without other people; deleted as a whole. */
  readonly sessions: readonly string[];
  /** Conversations with others in which the person wrote. */
  readonly sharedSessions: readonly string[];
  /** Their messages in conversations with others, and the answers to these. */
  readonly messages: readonly string[];
  /** The turns that their messages began. */
  readonly traces: readonly string[];
  /** Files that were sent or received with their messages. */
  readonly files: readonly string[];
}

/** A person's data as record parts of kind `person` receive it. */
export interface PersonData extends PersonIds {
  /** True for a text that names an address, a conversation, a message or a turn of the person. */
  isNamedIn(text: string): boolean;
  /** True for a text that names a conversation with others in which the person wrote. */
  isSharedIn(text: string): boolean;
}

/** Generated ids, and ids of traces. */
const GENERATED = /gw_\d{8}_\d{6}_[0-9a-f]{8}|[a-z]+_[0-9a-z]{20}(?![0-9a-z])/g;
const ADDRESS = /^([A-Za-z0-9_-]{2,64}):user:(.+)$/s;

/** Parses `<channel>:user:<id>`; undefined for anything else. */
export function readPersonAddress(address: string): PersonAddress | undefined {
  const [, channelId, userId] = ADDRESS.exec(address) ?? [];
  return channelId === undefined || userId === undefined ? undefined : { address, channelId, userId };
}

/** Creates the data of a person from the ids of everything stored about them. */
export function createPersonData(ids: PersonIds): PersonData {
  const { addresses, sessions, sharedSessions, messages, traces } = ids;
  const isNamedIn = createMatcher([...addresses.map(({ address }) => address), ...sessions, ...messages, ...traces]);
  return { ...ids, isNamedIn, isSharedIn: createMatcher(sharedSessions) };
}

/** Creates a matcher for any of the names as whole words; generated ids are looked up in a set, since there may be very many. */
function createMatcher(names: readonly string[]): (text: string) => boolean {
  const generated = new Set(names.filter((name) => name.match(GENERATED)?.[0] === name));
  const others = names.filter((name) => !generated.has(name)).map((name) => toPattern(name));
  const other = others.length === 0 ? undefined : new RegExp(`(?<![\\w:-])(?:${others.join("|")})(?![\\w-])`);
  return (text) => other?.test(text) === true || (text.match(GENERATED) ?? []).some((id) => generated.has(id));
}

/** Returns the pattern of a name in text and in JSON. */
function toPattern(name: string): string {
  const inJson = JSON.stringify(name).slice(1, -1);
  return [...new Set([name, inJson])].map((one) => RegExp.escape(one)).join("|");
}
