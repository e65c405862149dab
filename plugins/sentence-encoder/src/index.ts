import { definePlugin, ModelProtocols, serviceKey } from "@parley/core";
import { createEncoder, type Encoder } from "./encoder.ts";
import { createEncoderProtocol } from "./protocol.ts";

const OwnEncoder = serviceKey<Encoder>("sentence-encoder");

/** Contributes the model protocol `sentence-encoder`, whose vectors are computed in a thread of the service. */
export default definePlugin({
  id: "sentence-encoder",
  register({ log, provide, contribute }) {
    provide(OwnEncoder, () => createEncoder(log));
    contribute(ModelProtocols, (from) => createEncoderProtocol(from.get(OwnEncoder)));
  },
});
