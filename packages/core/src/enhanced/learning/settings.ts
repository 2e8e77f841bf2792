// Settings of enhanced dependencies.
import { flag } from "../../checks/settings.js";

export const ENHANCED_SETTINGS = {
  enhanced: flag({
    help: "also learn enhanced dependencies, from the DEPS of the treebanks",
    topic: "enhanced",
    needs: { works: ({ partial }) => !partial, needs: "every head, without {partial}" },
  }),
};
