import { TransitionSystem } from "./system.js";
import { kindOf, LEFT_ARC, type Move, moveOf, nameOf, RIGHT_ARC, SHIFT } from "./transition.js";

/** A system whose arcs reach k words far, down a spine or the stack: LEFT-ARC-k and RIGHT-ARC-k for every k. */
export abstract class FarArcsSystem extends TransitionSystem {
  readonly moves: readonly Move[] = [LEFT_ARC, RIGHT_ARC, SHIFT];

  override nameOf(move: Move): string {
    return nameOf(move, true);
  }

  override get inventory(): string {
    return "SHIFT, LEFT-ARC-k, RIGHT-ARC-k";
  }

  moveOf(name: string): Move {
    const move = moveOf(name, true);
    return kindOf(move) <= RIGHT_ARC ? move : -1;
  }
}
