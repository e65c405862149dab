import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";

/** How large an uploaded file may be, in MB; undefined while that is not known: the service says it then. */
export function useUploadLimit(): number | undefined {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const files = data?.files as { readonly max_upload_mb?: number } | undefined;
  return files?.max_upload_mb;
}
