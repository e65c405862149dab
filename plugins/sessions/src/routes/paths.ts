export const base = "/api/sessions";
export const one = `${base}/{session_id}` as const;
