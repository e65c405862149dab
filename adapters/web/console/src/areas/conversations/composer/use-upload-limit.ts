import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";

/** Maximum upload size in MB; undefined until it is known, the service rejects larger files then. */
export function useUploadLimit(): number | undefined {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const files = data?.files as { readonly max_upload_mb?: number } | undefined;
  return files?.max_upload_mb;
}
