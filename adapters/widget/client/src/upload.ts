import type { AttachedFile } from "./chat.ts";

/** Uploads a file of the next message; rejects when the service does not take it. */
export async function uploadFile(url: string, visitor: string, file: File): Promise<AttachedFile> {
  const body = new FormData();
  body.append("visitor", visitor);
  body.append("file", file);
  const response = await fetch(url, { method: "POST", body, credentials: "omit" });
  const { success, data } = (await response.json()) as { success: boolean; data: { file: string; name: string } };
  if (!success) throw new Error("the file was not accepted");
  return { token: data.file, name: data.name };
}
