// Settings of beams, and of learning from whole derivations.
import { choice, flag, whole } from "../../checks/settings.js";
import { UPDATES } from "../linear/beam-violation.js";
import { isStructured } from "./steps.js";

const WHOLE_DERIVATIONS = { works: isStructured, needs: "{beam} and {globalEpochs}, without {network}" };

export const BEAM_SETTINGS = {
  beam: whole(1, {
    help: "parse with a beam of this width",
    topic: "beam",
    isCommon: true,
    placeholder: "width",
    needs: {
      works: ({ network, learner, globalEpochs = 0 }) =>
        network === true || learner === "perceptron" || (learner === "logistic" && globalEpochs === 0),
      needs: "{learner perceptron}, or logistic without {globalEpochs}, or {network}",
    },
  }),
  globalEpochs: whole(0, {
    help: "with {beam}: in how many epochs, the last ones, whole derivations are learned from",
    topic: "beam",
    // Of a network a third.
    default: ({ network, epochs }) => (network ? Math.round(epochs / 3) : 0),
    byDefault: "0, with {network} a third of them",
    needs: [
      { works: ({ network, beam = 0 }) => beam > (network ? 1 : 0), needs: "{beam}, with {network} above 1" },
      { works: ({ globalEpochs = 0, epochs }) => globalEpochs <= epochs, needs: "at least as many {epochs}" },
    ],
  }),
  update: choice(UPDATES, {
    help: "with {globalEpochs}: where derivations are compared",
    topic: "beam",
    placeholder: "strategy",
    default: UPDATES[0],
    needs: WHOLE_DERIVATIONS,
  }),
  lowestLoss: flag({
    help: "with {globalEpochs}: when no correct hypothesis is left, learn from the one with the lowest loss",
    topic: "beam",
    needs: WHOLE_DERIVATIONS,
  }),
  singleSteps: flag({
    help: "with {globalEpochs}: learn from every step as well in these epochs",
    topic: "beam",
    needs: WHOLE_DERIVATIONS,
  }),
};
