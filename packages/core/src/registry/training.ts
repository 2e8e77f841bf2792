import { disfluencies } from "../disfluencies/disfluencies.js";
import { disfluenciesOracles, disfluenciesSettings } from "../disfluencies/disfluencies-oracles.js";
import { removedWords } from "../disfluencies/removed-words.js";
import * as derivations from "../systems/analysis/derivations.js";
import { arcEager, arcEagerOracles } from "../systems/arc-eager.js";
import { arcHybrid, arcHybridOracles } from "../systems/arc-hybrid.js";
import { arcHybridSwap } from "../systems/arc-hybrid-swap/arc-hybrid-swap.js";
import { arcHybridSwapOracles } from "../systems/arc-hybrid-swap/hybrid-swap-oracles.js";
import { arcStandard, arcStandardOracles } from "../systems/arc-standard.js";
import { arcSwift, arcSwiftOracles } from "../systems/arc-swift.js";
import { attardi, attardiOracles } from "../systems/attardi.js";
import { attardiAuxiliary } from "../systems/attardi-auxiliary/attardi-auxiliary.js";
import { attardiAuxiliaryOracles } from "../systems/attardi-auxiliary/auxiliary-oracles.js";
import { covington } from "../systems/covington/covington.js";
import { covingtonOracles } from "../systems/covington/covington-oracles.js";
import { lrSpines, lrSpinesOracles } from "../systems/lr-spines.js";
import type { OracleMakers } from "../systems/oracles/oracle.js";
import type { SystemSettings } from "../systems/settings.js";
import { swap } from "../systems/swap/swap.js";
import { swapOracles } from "../systems/swap/swap-oracles.js";
import type { SystemDescription, TransitionSystem } from "../systems/system.js";
import { twoPlanar } from "../systems/two-planar/two-planar.js";
import { twoPlanarOracles } from "../systems/two-planar/two-planar-oracle.js";
import * as templates from "./templates/default-templates.js";
import { BUFFER_FRAME, SPINES_FRAME, STACK_FRAME, type ZhangNivreView } from "./templates/zhang-nivre.js";

/**
 * The part of a system that only training and analysis need: kept apart from its description, so that a page that
 * parses does not load it.
 */
export interface SystemTraining {
  /** How its oracles are made. */
  readonly oracles: OracleMakers<TransitionSystem>;
  /** The feature templates of linear models, unless others are given. */
  readonly templates: string;
  /** Where the templates of Zhang & Nivre look: the pairs between which arcs are built. */
  readonly zhangNivre: ZhangNivreView;
  /** By name what can be added to either set of templates, besides what can for all systems. */
  readonly additions?: Readonly<Record<string, string>>;
  /**
   * Templates that joint tagging adds to its usual ones: for systems that attach the front of the buffer before they
   * take it, and with it its tag.
   */
  readonly jointTemplates?: string;
  /** The words and labels that a network looks at by default. */
  readonly view: string;
  /**
   * The number of scored configurations per word that suffices except in very unusual sentences: room for training
   * networks.
   */
  readonly stepsPerWord: number;
  /**
   * Where words may be left out: why each word is, by its tree, 0 for the others; undefined if none is.
   * @param heads the head of each word, 0 for the root; index 0 is unused
   * @param labels the label of each word; index 0 is unused
   */
  wordsLeftOut?(heads: ArrayLike<number>, labels: readonly string[]): Uint8Array | undefined;
  /**
   * The settings that suit training data, where none are given.
   * @param trees those of the training data
   */
  settingsFor?(
    trees: Iterable<{ readonly heads: ArrayLike<number>; readonly labels: readonly string[] }>,
  ): SystemSettings;
  /** Counts the derivations of a tree by what they consist of; without it they are counted one by one. */
  countDerivations?: derivations.Count;
}

type TrainingOf<System> = Omit<SystemTraining, "oracles"> & { readonly oracles: OracleMakers<System> };

/** A system's line of the table. */
const entry = <System extends TransitionSystem>({ name }: SystemDescription, training: TrainingOf<System>) =>
  [name, training as SystemTraining] as const;

const REGISTRY = new Map<string, SystemTraining>([
  entry(arcStandard, {
    oracles: arcStandardOracles,
    templates: templates.STACK,
    zhangNivre: { frames: [STACK_FRAME] },
    view: templates.STACK_VIEW,
    stepsPerWord: 2,
    countDerivations: derivations.ofArcStandard,
  }),
  entry(arcEager, {
    oracles: arcEagerOracles,
    templates: templates.EAGER,
    zhangNivre: { frames: [BUFFER_FRAME] },
    view: templates.EAGER_VIEW,
    stepsPerWord: 2,
    countDerivations: derivations.ofArcEager,
  }),
  entry(arcHybrid, {
    oracles: arcHybridOracles,
    templates: templates.HYBRID,
    zhangNivre: { frames: [BUFFER_FRAME, STACK_FRAME] },
    view: templates.HYBRID_VIEW,
    stepsPerWord: 2,
    countDerivations: derivations.ofArcHybrid,
  }),
  entry(attardi, {
    oracles: attardiOracles,
    templates: templates.STACK,
    zhangNivre: { frames: [STACK_FRAME, { ...STACK_FRAME, S0: "s2" }] },
    view: templates.STACK_VIEW,
    stepsPerWord: 2,
    countDerivations: derivations.ofAttardi,
  }),
  entry(attardiAuxiliary, {
    oracles: attardiAuxiliaryOracles,
    templates: templates.AUXILIARY,
    zhangNivre: { frames: [STACK_FRAME, { ...STACK_FRAME, S0: "s2" }] },
    view: templates.AUXILIARY_VIEW,
    stepsPerWord: 6,
    countDerivations: derivations.ofAuxiliary,
  }),
  entry(swap, {
    oracles: swapOracles,
    templates: templates.STACK,
    zhangNivre: { frames: [STACK_FRAME] },
    view: templates.STACK_VIEW,
    stepsPerWord: 6,
    countDerivations: derivations.ofSwap,
  }),
  entry(arcHybridSwap, {
    oracles: arcHybridSwapOracles,
    templates: templates.HYBRID,
    zhangNivre: { frames: [BUFFER_FRAME, STACK_FRAME] },
    view: templates.HYBRID_VIEW,
    stepsPerWord: 6,
    countDerivations: derivations.ofSwap,
  }),
  entry(arcSwift, {
    oracles: arcSwiftOracles,
    templates: templates.SWIFT,
    zhangNivre: { frames: [BUFFER_FRAME] },
    jointTemplates: templates.ATTACHED_FRONT,
    view: templates.SWIFT_VIEW,
    // Each move is scored in a context of its own.
    stepsPerWord: 8,
    countDerivations: derivations.ofArcSwift,
  }),
  entry(lrSpines, {
    oracles: lrSpinesOracles,
    templates: templates.SPINES,
    zhangNivre: { frames: [SPINES_FRAME], rightOfFront: true },
    additions: { shift: templates.SPINES_SHIFT },
    view: templates.SPINES_VIEW,
    stepsPerWord: 8,
    countDerivations: derivations.ofLrSpines,
  }),
  entry(covington, {
    oracles: covingtonOracles,
    templates: templates.LISTS,
    zhangNivre: { frames: [BUFFER_FRAME] },
    jointTemplates: templates.ATTACHED_FRONT,
    view: templates.LISTS_VIEW,
    stepsPerWord: 8,
    countDerivations: derivations.ofCovington,
  }),
  entry(twoPlanar, {
    oracles: twoPlanarOracles,
    templates: templates.PLANES,
    zhangNivre: { frames: [BUFFER_FRAME, { ...BUFFER_FRAME, S0: "t0" }] },
    jointTemplates: templates.ATTACHED_FRONT,
    view: templates.PLANES_VIEW,
    // Each move is scored in a context of its own.
    stepsPerWord: 24,
  }),
  entry(disfluencies, {
    oracles: disfluenciesOracles,
    templates: templates.DISFLUENT,
    zhangNivre: { frames: [BUFFER_FRAME] },
    view: templates.DISFLUENT_VIEW,
    stepsPerWord: 3,
    wordsLeftOut: removedWords,
    // Without words to remove, what arc-eager has.
    countDerivations: (system, gold, limit) =>
      (gold.leftOut ? derivations.byConfigurations : derivations.ofArcEager)(system, gold, limit),
    settingsFor: disfluenciesSettings,
  }),
]);

/** Registers what is needed to train a system. */
export function registerSystemTraining<System extends TransitionSystem>(
  system: SystemDescription,
  training: TrainingOf<System>,
): void {
  REGISTRY.set(...entry(system, training));
}

/** The training of a system by its name; throws a RangeError if it was not registered. */
export function systemTraining(name: string): SystemTraining {
  const training = REGISTRY.get(name);
  if (training) return training;
  throw new RangeError(`invalid system: ${name} (expected a system that was defined with what training needs)`);
}

/** The feature templates that a system uses if none are given. */
export function defaultTemplates(system: string): string {
  return systemTraining(system).templates;
}

/** The words and labels that a network looks at by default in the configurations of a system. */
export function defaultView(system: string): string {
  return systemTraining(system).view;
}
