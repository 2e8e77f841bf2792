// The setting of a frozen encoder.
import { file } from "../../checks/settings.js";
import { holding } from "../../checks/shapes.js";
import type { EncoderData } from "../encoder-data.js";

export const ENCODER_SETTINGS = {
  encoder: file<EncoderData>(holding("an encoder as readEncoder gives it", "header", "vocabulary", "numbers"), {
    help: "a BERT-like encoder as input, its folder or its .onnx or .safetensors file",
    topic: "network",
    placeholder: "path",
    needs: { works: ({ network }) => network === true, needs: "{network}" },
  }),
};
