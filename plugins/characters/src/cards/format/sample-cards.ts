import { crc32, deflateSync } from "node:zlib";

/** Creates a PNG picture of one colour, with additional chunks before its end. */
export function createPngOfSize(
  width: number,
  height: number,
  more: readonly (readonly [type: string, data: Uint8Array])[] = [],
) {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 0));
  const chunks = [["IHDR", head] as const, ...more, ["IDAT", pixels] as const, ["IEND", Buffer.alloc(0)] as const];
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...chunks.map(([type, data]) => chunk(type, data)),
  ]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

/** Creates a `tEXt` chunk that contains a card. */
export function createCardChunk(keyword: string, json: unknown): readonly [string, Uint8Array] {
  const text = Buffer.from(JSON.stringify(json)).toString("base64");
  return ["tEXt", Buffer.from(`${keyword}\0${text}`, "latin1")];
}

const WORDS =
  "harbour lantern 灯塔 tide captain rope 海风 salt promise letter brass storm compass 约定 gull mist".split(" ");

function prose(characters: number, seed: number): string {
  let text = "";
  for (let at = seed; text.length < characters; at += 7) {
    text += `${WORDS[at % WORDS.length]}${at % 11 === 0 ? ".\n\n*She looks at {{user}}.* “{{char}}…” " : " "}`;
  }
  return text.slice(0, characters);
}

/** Creates a lorebook of some 200 kB, as people write them. */
export function createLorebook(entries: number, seed: number, extra: object): object {
  return {
    name: `Lore ${seed}`,
    description: "",
    scan_depth: 4,
    token_budget: 2_048,
    recursive_scanning: true,
    extensions: { vendor: { seed } },
    entries: Array.from({ length: entries }, (_, index) => ({
      keys: [`${WORDS[index % WORDS.length]} ${index}`, `第${index}章`],
      secondary_keys: index % 3 === 0 ? ["/dock(side)?/i"] : [],
      content: prose(700, seed + index),
      extensions: { position: index % 5, probability: 80, depth: 4, useProbability: true, display_index: index },
      enabled: index % 7 !== 0,
      insertion_order: index * 10,
      case_sensitive: null,
      name: `entry ${index}`,
      priority: index % 13,
      id: index,
      comment: "",
      selective: index % 3 === 0,
      constant: index % 29 === 0,
      position: index % 2 === 0 ? "before_char" : "after_char",
      ...extra,
    })),
  };
}

/** Returns a card as common V2 editors write it: with the fields of V1 beside `data`. */
export function createV2Card(): object {
  const flat = {
    name: "Mira of the Lighthouse",
    description: prose(6_000, 1),
    personality: "dry, patient, secretly sentimental",
    scenario: "{{user}} knocks at the lighthouse at night.",
    first_mes: prose(1_200, 2),
    mes_example: "<START>\n{{user}}: Hello?\n{{char}}: *opens the door a hand wide* We are closed.",
  };
  return {
    ...flat,
    creatorcomment: "",
    avatar: "none",
    talkativeness: "0.5",
    fav: false,
    create_date: "2024-5-1 @12h 30m 5s 100ms",
    spec: "chara_card_v2",
    spec_version: "2.0",
    data: {
      ...flat,
      creator_notes: '<img src=x onerror="alert(1)"> best with long context',
      system_prompt: "",
      post_history_instructions: "[Stay in character.]",
      alternate_greetings: [prose(900, 3), prose(900, 4)],
      tags: ["Female", "Lighthouse", "Slow Burn", "灯塔"],
      creator: "someone",
      character_version: "1.2",
      extensions: {
        talkativeness: "0.5",
        fav: false,
        world: "Lore 5",
        depth_prompt: { prompt: "she never lies", depth: 4, role: "system" },
        regex_scripts: [{ id: "a", findRegex: "/x/g", replaceString: "", placement: [2] }],
      },
      character_book: createLorebook(270, 5, {}),
    },
  };
}

/** Returns a card as a V3 editor writes it: assets, groups, several languages. */
export function createV3Card(): object {
  const { spec, spec_version, data } = createV2Card() as {
    readonly spec: string;
    readonly spec_version: string;
    data: object;
  };
  void [spec, spec_version];
  return {
    spec: "chara_card_v3",
    spec_version: "3.0",
    data: {
      ...data,
      nickname: "Mira",
      creator_notes_multilingual: { zh: "适合长对话", en: "for long talks" },
      source: ["https://example.com/cards/1"],
      group_only_greetings: ["*nods to everybody*"],
      creation_date: 1_714_566_605,
      modification_date: 1_714_566_705,
      assets: [
        { type: "icon", uri: "embeded://assets/icon/images/main.png", name: "main", ext: "png" },
        { type: "background", uri: "embeded://assets/background/images/1.png", name: "harbour", ext: "png" },
        { type: "icon", uri: "ccdefault:", name: "other", ext: "png" },
      ],
      character_book: createLorebook(260, 9, { use_regex: false }),
    },
  };
}

/** Returns a handmade V1 card in Chinese, with custom keys. */
export function createV1Card(): object {
  return {
    name: "林小雨",
    description: prose(9_000, 11),
    personality: "温柔，话少",
    scenario: "雨夜的码头",
    first_mes: "*收起伞* {{user}}，你迟到了。",
    mes_example: "{{char}}：……嗯。",
    world_scenario: "old key",
    metadata: { version: 1, created: 1_680_000_000_000, tool: { name: "an editor", version: "0.1" } },
    character_book: createLorebook(250, 21, { weight: 10 }),
  };
}
