// Debian's Firefox over Marionette, the protocol that it speaks itself: no driver and no package is needed.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

/** The path of a Firefox: FIREFOX, or one in the PATH; undefined if there is none. */
export function findFirefox(): string | undefined {
  if (process.env.FIREFOX) return process.env.FIREFOX;
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of ["firefox-esr", "firefox"]) {
      if (folder && existsSync(join(folder, name))) return join(folder, name);
    }
  }
  return undefined;
}

/** Key names of the WebDriver standard. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: "\ue004",
  Enter: "\ue007",
  Shift: "\ue008",
  Control: "\ue009",
  Escape: "\ue00c",
  End: "\ue010",
  Home: "\ue011",
  ArrowLeft: "\ue012",
  ArrowUp: "\ue013",
  ArrowRight: "\ue014",
  ArrowDown: "\ue015",
};

/** Messages of Marionette: the length of a JSON array, a colon, the array. */
class Connection {
  private received = Buffer.alloc(0);
  private last = 0;
  private readonly waiting = new Map<number, (answer: [error: { message: string } | null, result: unknown]) => void>();

  constructor(private readonly socket: Socket) {
    socket.on("data", (data) => {
      this.received = Buffer.concat([this.received, data]);
      for (;;) {
        const colon = this.received.indexOf(":");
        const length = Number(this.received.subarray(0, colon).toString());
        if (colon < 0 || this.received.length < colon + 1 + length) return;
        const message = JSON.parse(this.received.subarray(colon + 1, colon + 1 + length).toString());
        this.received = this.received.subarray(colon + 1 + length);
        // The first message is a greeting.
        if (Array.isArray(message)) this.waiting.get(message[1])?.([message[2], message[3]]);
      }
    });
  }

  send(command: string, parameters: Record<string, unknown> = {}): Promise<unknown> {
    const id = ++this.last;
    const text = JSON.stringify([0, id, `WebDriver:${command}`, parameters]);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, ([error, result]) => {
        this.waiting.delete(id);
        if (error) reject(new Error(`${command}: ${error.message}`));
        else resolve((result as { value?: unknown } | null)?.value);
      });
      this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
  }

  end(): void {
    this.socket.destroy();
  }
}

/** A Firefox with one page. */
export class Firefox {
  private constructor(
    private readonly process: ChildProcess,
    private readonly connection: Connection,
    private readonly profile: string,
  ) {}

  static async launch(path: string): Promise<Firefox> {
    const profile = mkdtempSync(join(tmpdir(), "stemma-firefox-"));
    // Port 0: any that is free; Firefox writes down which one it took.
    writeFileSync(join(profile, "user.js"), 'user_pref("marionette.port", 0);\n');
    const process = spawn(path, ["--headless", "--marionette", "--no-remote", "--profile", profile], {
      stdio: "ignore",
    });
    const port = await eventually(() => {
      if (process.exitCode !== null) throw new Error(`Firefox ended with ${process.exitCode}`);
      const file = join(profile, "MarionetteActivePort");
      return existsSync(file) ? Number(readFileSync(file, "utf8")) : 0;
    });
    const socket = connect(port, "127.0.0.1");
    const connection = new Connection(socket);
    await connection.send("NewSession", { capabilities: {} });
    await connection.send("SetWindowRect", { width: 1280, height: 900 });
    return new Firefox(process, connection, profile);
  }

  async goto(address: string): Promise<void> {
    // Another fragment alone would not load the page again.
    await this.connection.send("Navigate", { url: "about:blank" });
    await this.connection.send("Navigate", { url: address });
  }

  evaluate(expression: string): Promise<unknown> {
    return this.connection.send("ExecuteScript", { script: `return (${expression})`, args: [] });
  }

  /** Presses keys one after the other; "Shift+Tab" holds one down. */
  async press(...names: string[]): Promise<void> {
    for (const name of names) {
      const keys = name.split("+").map((key) => KEYS[key] ?? key);
      const actions = [
        ...keys.map((value) => ({ type: "keyDown", value })),
        ...keys.reverse().map((value) => ({ type: "keyUp", value })),
      ];
      await this.connection.send("PerformActions", { actions: [{ type: "key", id: "keyboard", actions }] });
    }
  }

  async close(): Promise<void> {
    this.connection.end();
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    this.process.kill();
    await ended;
    rmSync(this.profile, { recursive: true, force: true });
  }
}

/** Asks again until there is something. */
export async function eventually<T>(ask: () => T | Promise<T>, what = String(ask), timeout = 60_000): Promise<T> {
  const end = Date.now() + timeout;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`nothing after ${timeout / 1000} s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
