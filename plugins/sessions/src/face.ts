import type { CharacterFace, Session } from "@parley/core";

/** What a session shows of its character unless it has its own: empty is what follows the character. */
type Face = Pick<Session, "sender_name" | "sender_avatar" | "sender_portrait" | "scenario" | "first_message">;
type FaceField = keyof Face;

const FIELDS: { readonly [Field in FaceField]: keyof CharacterFace } = {
  sender_name: "name",
  sender_avatar: "avatar",
  sender_portrait: "portrait",
  scenario: "scenario",
  first_message: "first_message",
};
const entries = Object.entries(FIELDS) as readonly (readonly [FaceField, keyof CharacterFace])[];

/** Nothing of its own. */
export const FOLLOWING: Face = {
  sender_name: "",
  sender_avatar: "",
  sender_portrait: "",
  scenario: "",
  first_message: "",
};

/** The session as people see it: what it has not of its own is the character's as it is now. */
export function withFace(session: Session, face: CharacterFace | undefined): Session {
  if (!face) return session;
  const shown = entries.map(([field, of]) => [field, session[field] || face[of]]);
  return { ...session, ...Object.fromEntries(shown) };
}

/** What is stored of it: what is the same as the character's goes on following it. */
export function withoutFace<Fields extends Partial<Session>>(fields: Fields, face: CharacterFace | undefined): Fields {
  if (!face) return fields;
  const followed = entries.filter(([field, of]) => fields[field] !== undefined && fields[field] === face[of]);
  return { ...fields, ...Object.fromEntries(followed.map(([field]) => [field, ""])) };
}
