import { PNG } from "../../harness/files/sample-files.ts";
import type { Client } from "../../harness/http/client.ts";
import type { Call, Seed } from "../calls.ts";

const LIST = ["items", "total", "limit", "offset"];
const CARD = { spec: "chara_card_v2", spec_version: "2.0", data: { name: "Mira", description: "a captain" } };
let count = 0;

const createPreset = async ({ api }: Seed): Promise<{ readonly preset_id: string }> => {
  const { id } = await api.post<{ id: string }>("/api/personality/custom-presets", { name: `preset ${++count}` });
  return { preset_id: id };
};

const FORM = { "content-type": "multipart/form-data; boundary=part" };

/** Builds a form with a picture. */
function buildPictureForm(): Uint8Array {
  const bytes = PNG.toString("latin1");
  const head = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png';
  return Buffer.from(`--part\r\n${head}\r\n\r\n${bytes}\r\n--part--\r\n`, "latin1");
}

async function createPortrait({ api }: Seed): Promise<{ readonly url: string }> {
  const answer = await api.send("POST", "/api/personality/portrait", { body: buildPictureForm(), headers: FORM });
  const stored = answer.json?.data as { readonly url: string } | undefined;
  return { url: stored?.url ?? "" };
}

/** Scripts the model for this call. */
const scriptModel =
  (purpose: string, answer: unknown) =>
  async ({ api, models }: Seed): Promise<Client> => {
    const draft = { name: `writer ${++count}`, model: "m", base_url: models.baseUrl, purpose };
    const { id } = await api.post<{ id: string }>("/api/ai-models", draft);
    await api.post(`/api/ai-models/${id}/apply`, {});
    models.script.push(
      purpose === "image_generation"
        ? { kind: "image", base64: PNG.toString("base64") }
        : { kind: "text", text: JSON.stringify(answer) },
    );
    return api;
  };

async function withoutModels({ api, models }: Seed): Promise<void> {
  models.script.length = 0;
  const { items } = await api.get<{ items: readonly { id: string; name: string }[] }>("/api/ai-models?limit=500");
  for (const { id, name } of items) if (name.startsWith("writer ")) await api.send("DELETE", `/api/ai-models/${id}`);
}

const written = { name: "Mira", description: "a captain", personality: "dry", first_message: "Ahoy." };

/** The row of one preset, which only this service has. */
export const PRESET_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/personality/custom-presets/{preset_id}": {
    params: createPreset,
    gives: ["id", "system_prompt", "extensions"],
  },
};

/** A working call of every route of personality. */
export const PERSONALITY_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/personality": { gives: ["name", "system_prompt", "preset_id", "revision"] },
  "PUT /api/personality": {
    body: { description: "other" },
    gives: ["name", "preset_id", "revision"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "GET /api/personality/presets": { gives: LIST },
  "GET /api/personality/custom-presets": { gives: LIST },
  "POST /api/personality/custom-presets": {
    body: { name: "one preset" },
    gives: ["id", "builtin", "uploads"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "PUT /api/personality/custom-presets/{preset_id}": {
    params: createPreset,
    body: { description: "other" },
    gives: ["id", "revision"],
    except: { unknownKey: "is kept in card_extra" },
  },
  "DELETE /api/personality/custom-presets/{preset_id}": { params: createPreset, gives: ["id", "deleted"] },
  "POST /api/personality/custom-presets/{preset_id}/upload-to-platform": {
    params: createPreset,
    async caller({ api, cards }) {
      const platform = { name: "cards", url: `${cards.address}/cards`, token_env: "IMB_BOT_TOKEN" };
      await api.put("/api/settings", { card_platforms: [platform] });
      cards.answers.push({ body: { id: "card-1", url: "https://example.com/cards/1" } });
      return api;
    },
    body: { confirm: true },
    gives: ["platform", "remote_id"],
  },
  "POST /api/personality/import": {
    body: CARD,
    gives: ["card", "saved", "detected", "warnings"],
    except: { unknownKey: "is kept with the card" },
  },
  "POST /api/personality/import-all": {
    body: { cards: [CARD] },
    gives: ["imported", "failed", "items", "errors"],
    except: { unknownKey: "is no matter of a bundle" },
  },
  "POST /api/personality/ai-generate": {
    caller: scriptModel("chat", written),
    body: { description: "a captain" },
    gives: ["card", "saved", "usage"],
    after: withoutModels,
  },
  "POST /api/personality/ai-generate-state": {
    caller: scriptModel("chat", { mood: "calm", trust: 60 }),
    body: { card: CARD },
    gives: ["state", "usage"],
    after: withoutModels,
  },
  "POST /api/personality/ai-generate-first-message": {
    caller: scriptModel("chat", { messages: ["Ahoy."] }),
    body: { card: CARD },
    gives: ["first_message", "alternatives", "usage"],
    after: withoutModels,
  },
  "POST /api/personality/generate-portrait": {
    caller: scriptModel("image_generation", undefined),
    body: { prompt: "a captain" },
    gives: ["url", "model", "width", "height"],
    after: withoutModels,
  },
  "POST /api/personality/portrait": {
    body: buildPictureForm(),
    headers: FORM,
    gives: ["url", "file_name", "size", "mime_type", "width", "height"],
  },
  "DELETE /api/personality/portrait": {
    params: createPortrait,
    body: ({ url }) => ({ url }),
    gives: ["deleted", "url", "references_cleared"],
  },
  "POST /api/personality/clean-unused-portraits": { body: {}, gives: ["removed", "freed_bytes", "files"] },
  "POST /api/personality/export": {
    params: createPreset,
    body: ({ preset_id }) => ({ preset_id }),
    isRaw: true,
    type: /^application\/(zip|json)/,
    gives: ["PK"],
  },
  "GET /api/personality/export-all": { isRaw: true, type: /^application\/(zip|json)/, gives: ["PK"] },
};
