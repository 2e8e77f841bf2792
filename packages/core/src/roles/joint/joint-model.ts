import type { Limits } from "../../checks/abilities.js";
import { parseTemplates } from "../../features/templates.js";
import { checkParserHeader } from "../../parser/check-header.js";
import { classesOf, type ModelHeader } from "../../parser/model-header.js";
import { ParserModel } from "../../parser/parser.js";
import type { ParserOptions } from "../../parser/tree-parser.js";
import { describeSystem } from "../../registry/system-registry.js";
import type { LinearModel } from "../../scoring/linear/linear-model.js";
import { linearWeights } from "../../scoring/linear/linear-weights.js";
import type { Codec } from "../../storage/part.js";
import { stored } from "../../storage/store.js";
import type { TrainedRoles } from "../role-labeller.js";
import { checkRolesHeader, type RolesHeader, roleClasses } from "../roles-header.js";
import { JointParser } from "./joint-parser.js";

const ALONG = "it decides roles along with the tree, greedily (use a model trained without --joint roles)";
const LIMITS: Limits = { beam: ALONG, trees: ALONG, scores: ALONG, steps: ALONG };

/** A trained parser that finds predicates and semantic roles along with the tree: a linear model for each half. */
export class JointRolesModel extends ParserModel {
  constructor(
    header: ModelHeader,
    linear: LinearModel,
    readonly roles: TrainedRoles,
  ) {
    super(header, linear);
    const { name, description } = this.system;
    if (description.reordersWords || this.classes.perMove) {
      throw new RangeError(
        `system: ${name} (expected one that takes the words in their order and scores all transitions together, for ` +
          "roles along with the tree)",
      );
    }
  }

  override get limits(): Limits {
    return { ...super.limits, ...LIMITS };
  }

  override get codec(): Codec {
    return jointRolesCodec;
  }

  override createParser(options: ParserOptions = {}): JointParser {
    return new JointParser(this, options);
  }
}

export const jointRolesCodec: Codec = {
  part: "parser",
  program: "roles",
  take: ({ header, linear, classCount, roles }: JointRolesModel) => ({
    header: { ...header, roles: roles.header },
    content: [
      stored(linearWeights(classCount), linear),
      stored(linearWeights(roleClasses(roles.header)), roles.linear),
    ],
  }),
  open(value) {
    const { roles: given, ...rest } = Object(value) as ModelHeader & { roles: RolesHeader };
    const roles = checkRolesHeader(given);
    const header = checkParserHeader(rest);
    parseTemplates(header.templates, "templates", describeSystem(header.system).context);
    return {
      stores: [linearWeights(classesOf(header).size), linearWeights(roleClasses(roles))],
      make: (syntax: LinearModel, semantics: LinearModel) =>
        new JointRolesModel(header, syntax, { header: roles, linear: semantics }),
    };
  },
};
