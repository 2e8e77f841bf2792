// A button beside each piece of code that copies it, without the prompts and the output of commands.
for (const block of document.querySelectorAll("pre:not(.signature)")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  const wrapper = document.createElement("div");
  wrapper.className = "code";
  block.replaceWith(wrapper);
  wrapper.append(block, button);
  button.addEventListener("click", async () => {
    const text = block.textContent;
    const commands = text.split("\n").filter((line) => line.startsWith("$ "));
    const copied = commands.length > 0 ? `${commands.map((line) => line.slice(2)).join("\n")}\n` : text;
    try {
      await navigator.clipboard.writeText(copied);
      button.textContent = "Copied";
    } catch {
      // Pages from the disk may not write to the clipboard; the text is selected instead.
      getSelection().selectAllChildren(block);
      button.textContent = "Selected";
    }
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
}
