import { useQuery } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";

interface Settings {
  readonly files?: { readonly max_upload_mb?: number };
}

/** How large an uploaded file may be, in MB; undefined while that is not known: the service says it then. */
export function useUploadLimit(): number | undefined {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
  return data?.files?.max_upload_mb;
}
