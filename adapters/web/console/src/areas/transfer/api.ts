import { fetchRaw, parley, type Shapes, uploadForm } from "../../shared/api/client.ts";
import { downloadFile } from "../../shared/ui/download-file.ts";

export type Section = Shapes["TransferSection"];
export type ConfigImport = Shapes["ConfigImport"];
export type ImportedSection = Shapes["TransferredSection"];
/** Treatment of imported records that already exist. */
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
  listSections: () => parley.get(`${TRANSFER_PATH}/sections`),
  /** Builds a configuration package and downloads it. */
  async export(request: {
    readonly password: string;
    readonly sections: readonly string[];
    readonly include_secrets: boolean;
  }) {
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: JSON.stringify(request) };
    const answer = await fetchRaw(`${TRANSFER_PATH}/export`, init);
    const fileName = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "");
    downloadFile(await answer.blob(), fileName?.[1] ?? "parley-config.zip");
  },
  /** Imports a package; with `isTrial` it only reports the changes it would make. */
  import: ({ file, password, mode, sections, isTrial }: ImportRequest) =>
    uploadForm(`${TRANSFER_PATH}/import`, [
      ["password", password],
      ["mode", mode],
      ["dry_run", String(isTrial)],
      ["confirm", String(!isTrial)],
      ...(sections ? [["sections", JSON.stringify(sections)] as const] : []),
      ["file", file],
    ]),
};
