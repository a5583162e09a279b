// Runs the script of a replay page without a browser: a document of plain objects, and questions to it from stdin.
// Input: {page: text, ask: [script, ...]}; output: what each script gives, as JSON.
import { readFileSync } from "node:fs";
import vm from "node:vm";

class Element {
  constructor(tag) {
    Object.assign(this, { tag, attributes: {}, children: [], listeners: {}, textContent: "", className: "" });
    this.classList = { toggle: (name, on) => { this.className = on ? name : ""; } };
    Object.assign(this, { offsetTop: 0, clientHeight: 0 });
  }
  setAttribute(name, value) { this.attributes[name] = String(value); }
  append(...children) { this.children.push(...children); }
  appendChild(child) { this.children.push(child); return child; }
  replaceChildren(...children) { this.children = children; }
  addEventListener(name, listener) { this.listeners[name] = listener; }
  matches() { return false; }
}

const { page, ask } = JSON.parse(readFileSync(0, "utf8"));
const byId = {};
for (const [, tag, id] of page.matchAll(/<(\w+) id="(\w+)"/g)) byId[id] = new Element(tag);
const [, data] = page.match(/<script type="application\/json" id="data">(.*?)<\/script>/s);
const [, script] = page.match(/<script>(.*?)<\/script>/s);
byId.data = Object.assign(new Element("script"), { textContent: data });

const document = new Element("document");
document.getElementById = (id) => byId[id];
document.createElement = (tag) => new Element(tag);
document.createElementNS = (space, tag) => new Element(tag);

const all = (element) => [element, ...element.children.flatMap(all)];
const seen = () => ({
  backs: all(byId.table).filter((part) => part.attributes.class === "back").length,
  cards: all(byId.table).filter((part) => part.attributes.class === "card").length,
  texts: all(byId.table).filter((part) => part.tag === "text" && !part.attributes.class.startsWith("rank")).map((part) => part.textContent),
  legal: byId.legal.children.map((part) => [part.className, part.textContent]),
  log: byId.log.children.map((item) => item.children.map((part) => part.textContent)),
  now: byId.log.children.findIndex((item) => item.className === "now"),
  counter: byId.counter.textContent,
  disabled: ["first", "back", "next", "last"].filter((id) => byId[id].disabled),
});
const click = (id) => byId[id].listeners.click();
const choose_in = (id, value) => byId[id].listeners.change({ target: { value: String(value) } });
const press = (key) => document.listeners.keydown({ key, target: byId.table, preventDefault() {} });
class Option extends Element {
  constructor(text, value) { super("option"); Object.assign(this, { textContent: text, value }); }
}
const context = vm.createContext({ document, Option, seen, click, choose_in, press });
vm.runInContext(script, context);
process.stdout.write(JSON.stringify(ask.map((question) => vm.runInContext(question, context))));
