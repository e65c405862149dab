import type { Call, Seed } from "../calls.ts";

const PASSWORD = "a long password";

/** A package of the settings, as text that survives a path. */
async function createPackage({ api }: Seed): Promise<{ readonly package: string }> {
  const answer = await fetch(new URL("/api/config-transfer/export", api.address), {
    method: "POST",
    headers: { authorization: `Bearer ${api.token}`, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD, sections: ["settings"] }),
  });
  return { package: Buffer.from(await answer.arrayBuffer()).toString("base64") };
}

function buildForm(made: Readonly<Record<string, string>>): Uint8Array {
  const field = (name: string, value: string) =>
    `--part\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = '--part\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
  return Buffer.concat([
    Buffer.from(field("password", PASSWORD) + field("dry_run", "true") + file),
    Buffer.from(made.package ?? "", "base64"),
    Buffer.from("\r\n--part--\r\n"),
  ]);
}

/** A working call of every route of configuration packages. */
export const TRANSFER_CALLS: Readonly<Record<string, Call>> = {
  "POST /api/config-transfer/export": {
    body: { password: PASSWORD },
    isRaw: true,
    type: /^application\/zip/,
    gives: ["PK", "manifest.json"],
  },
  "POST /api/config-transfer/import": {
    params: createPackage,
    body: buildForm,
    headers: { "content-type": "multipart/form-data; boundary=part" },
    gives: ["dry_run", "applied", "sections", "warnings", "missing_env"],
    except: { unknownKey: "the form is not JSON" },
  },
};

export const OUR_TRANSFER_CALLS: Readonly<Record<string, Call>> = {
  "GET /api/config-transfer/sections": { gives: ["items"] },
};
