import { fetchData, fetchRaw, parley, type Shapes } from "../../shared/api/client.ts";

export type Section = Shapes["TransferSection"];
export type ConfigImport = Shapes["ConfigImport"];
export type ImportedSection = Shapes["TransferredSection"];
export type Mode = "skip" | "overwrite";

export interface ImportRequest {
  readonly file: File;
  readonly password: string;
  readonly mode: Mode;
  readonly sections?: readonly string[];
  readonly isTrial: boolean;
}

const TRANSFER_PATH = "/api/config-transfer";

export const transfer = {
  sections: () => parley.get(`${TRANSFER_PATH}/sections`),
  /** Builds a package and downloads it. */
  async take(asked: {
    readonly password: string;
    readonly sections: readonly string[];
    readonly include_secrets: boolean;
  }) {
    const headers = { "content-type": "application/json" };
    const answer = await fetchRaw(`${TRANSFER_PATH}/export`, { method: "POST", headers, body: JSON.stringify(asked) });
    const named = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "");
    const url = URL.createObjectURL(await answer.blob());
    const link = document.createElement("a");
    link.href = url;
    link.download = named?.[1] ?? "parley-config.zip";
    link.click();
    URL.revokeObjectURL(url);
  },
  /** Imports a package, or with `isTrial` only reports the changes it would make. */
  async bring({ file, password, mode, sections, isTrial }: ImportRequest): Promise<ConfigImport> {
    const form = new FormData();
    form.append("password", password);
    form.append("mode", mode);
    form.append("dry_run", String(isTrial));
    form.append("confirm", String(!isTrial));
    if (sections) form.append("sections", JSON.stringify(sections));
    form.append("file", file);
    return fetchData<ConfigImport>(`${TRANSFER_PATH}/import`, { method: "POST", body: form });
  },
};
