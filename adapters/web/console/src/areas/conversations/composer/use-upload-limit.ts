import { useQuery } from "@tanstack/react-query";
import { parley } from "../../../shared/api/client.ts";
import { toJsonObject } from "../../../shared/json-object.ts";

/** Maximum upload size in MB; undefined until it is known, the service rejects larger files then. */
export function useUploadLimit(): number | undefined {
  const { data } = useQuery({ queryKey: ["settings"], queryFn: () => parley.get("/api/settings") });
  const { max_upload_mb: limitMb } = toJsonObject(data?.files);
  return typeof limitMb === "number" ? limitMb : undefined;
}
