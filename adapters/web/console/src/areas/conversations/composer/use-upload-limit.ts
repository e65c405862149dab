import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";

/** Returns the maximum upload size in MB; undefined until the settings are loaded, when only the service checks it. */
export function useUploadLimit(): number | undefined {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const { max_upload_mb: limitMb } = toJsonObject(data?.files);
  return typeof limitMb === "number" ? limitMb : undefined;
}
