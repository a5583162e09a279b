"use strict";
// The state of the page is three numbers: which deal, whose eyes (-1: all hands), which moment.
const data = JSON.parse(document.getElementById("data").textContent);
const state = { deal: 0, view: data.viewer, at: 0 };

const SEATS = [0, 1, 2, 3, 4, 5];
const ORDINALS = ["1st 头科", "2nd 二科", "3rd 三科", "4th 四科", "5th 二落", "6th 大落"];
// Places round the table, counter-clockwise from the bottom.
const PLATES = [[600, 700], [985, 640], [985, 240], [600, 180], [215, 240], [215, 640]];
const HANDS = [[600, 770], [1000, 710], [1000, 170], [600, 110], [200, 170], [200, 710]];
const LAID = [[600, 598], [860, 545], [860, 318], [600, 258], [340, 318], [340, 545]];
const HAND_ROOM = 376, ROW_CARDS = 14, ROW_STEP = 31;

const byId = (id) => document.getElementById(id);
const deal = () => data.deals[state.deal];
const moments = () => deal().views[state.view + 1];
const stepNow = () => deal().steps[moments()[state.at][1]];
const spotOf = (seat) => (seat - Math.max(state.view, 0) + 6) % 6;
const sideOf = (seat) => "side" + (seat % 2);
const sees = (event) => state.view < 0 || !event.silent || event.seat === state.view;
const knowsTurn = (step) => step.turn !== null && (state.view < 0 || state.view === step.turn);
const isOpen = (step, seat) => state.view < 0 || step.open[state.view].includes(seat);

function eventsOf([first, last]) {
  return deal().steps.slice(first, last + 1).flatMap((step) => step.events).filter(sees);
}

// --- drawing

function draw(parent, tag, attributes, text) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== undefined) element.textContent = text;
  return parent.appendChild(element);
}

function write(parent, x, y, size, kind, text) {
  return draw(parent, "text", { x, y, "font-size": size, class: kind }, text);
}

function drawFelt(svg) {
  const oval = (rx, ry, fill, more = {}) => draw(svg, "ellipse", { cx: 600, cy: 440, rx, ry, fill, ...more });
  const gradient = draw(svg, "radialGradient", { id: "felt" });
  draw(gradient, "stop", { offset: "0", "stop-color": "#207c58" });
  draw(gradient, "stop", { offset: "1", "stop-color": "#155e42" });
  oval(548, 258, "#12161b", { cy: 447 });
  oval(548, 258, "#5c3a22");
  oval(534, 244, "#3a2416");
  oval(530, 240, "url(#felt)");
  oval(517, 228, "none", { stroke: "#ffffff22", "stroke-width": 1.5 });
}

// A hand, from high to low; a large one in two rows.
function drawHand(svg, cards, [x, y]) {
  const half = Math.ceil(cards.length / 2);
  const rows = cards.length > ROW_CARDS ? [cards.slice(0, half), cards.slice(half)] : [cards];
  rows.forEach((row, i) => {
    const middle = [x, y + ROW_STEP * (i - (rows.length - 1) / 2)];
    drawCards(svg, row, middle, HAND_ROOM, 0.92, i === rows.length - 1);
  });
}

// Cards laid over each other in at most `room`; a small gap between ranks. `free`: the last one is to be seen whole.
function drawCards(parent, cards, [x, y], room, scale, free = true) {
  const width = 40 * scale, height = 58 * scale;
  const gaps = [...cards].map((card, i) => (i && card !== cards[i - 1] ? 0.45 : 0));
  const units = cards.length - 1 + gaps.reduce((sum, gap) => sum + gap, 0);
  const advance = Math.min(0.62 * width, (room - width) / Math.max(units, 1));
  let left = x - (width + units * advance) / 2;
  [...cards].forEach((card, i) => {
    left += i ? advance * (1 + gaps[i]) : 0;
    drawCard(parent, card, left, y - height / 2, scale, free && i === cards.length - 1);
  });
}

function drawCard(parent, card, left, top, scale, uncovered) {
  const back = card === "?";
  draw(parent, "rect", { x: left, y: top, width: 40 * scale, height: 58 * scale, rx: 4 * scale, class: back ? "back" : "card" });
  if (back) return;
  const joker = card === "s" || card === "b";
  const rank = joker ? "★" : card === "T" ? "10" : card;
  const at = (x, y, size, kind, text) => write(parent, left + x * scale, top + y * scale, size * scale, `rank ${card} ${kind}`, text);
  at(3, 11, rank === "10" ? 12 : 15, "", rank);
  if (uncovered && joker) at(20, 45, 10, "middle", "JOKER");
  else if (uncovered) at(25, 38, 23, "large middle", rank);
}

function drawSeat(svg, step, seat) {
  const spot = spotOf(seat), [x, y] = PLATES[spot];
  if (step.cards[seat] > 0) {
    if (isOpen(step, seat)) drawHand(svg, step.hands[seat], HANDS[spot]);
    else drawCards(svg, "?".repeat(step.cards[seat]), HANDS[spot], HAND_ROOM, 0.92);
  }
  if (knowsTurn(step) && step.turn === seat) {
    draw(svg, "rect", { x: x - 132, y: y - 26, width: 264, height: 52, rx: 13, class: "turn" });
  }
  draw(svg, "rect", { x: x - 126, y: y - 20, width: 252, height: 40, rx: 9, class: "plate " + sideOf(seat) });
  draw(svg, "circle", { cx: x - 104, cy: y, r: 13, class: sideOf(seat) });
  write(svg, x - 104, y + 1, 16, "number middle", seat);
  const name = state.view === seat ? "you" : deal().agents ? deal().agents[seat] : "seat " + seat;
  write(svg, x - 82, y + 1, 17, "", name.length > 14 ? name.slice(0, 13) + "…" : name);
  const place = step.places[seat], count = step.cards[seat];
  const few = count <= 10 && !place;
  const words = place ? ORDINALS[place - 1] : count + (count === 1 ? " card" : " cards");
  draw(svg, "text", { x: x + 116, y: y + 1, "font-size": 16, "text-anchor": "end", class: place || few ? "gold" : "faint" }, words);
  drawLaid(svg, step, seat, LAID[spot]);
}

function drawLaid(svg, step, seat, [x, y]) {
  if (step.laid[seat] && step.owner !== seat) {
    drawCards(draw(svg, "g", { class: "past" }), step.laid[seat], [x, y], 200, 0.8);
  }
  const words = [];
  if (step.passed[seat]) words.push("pass 过牌");
  if (step.victims[seat] !== null) {
    const bound = step.duty[seat] && (state.view < 0 || state.view === seat);
    words.push(`burned seat ${step.victims[seat]} 烧牌` + (bound ? ", on duty" : ""));
  }
  words.forEach((text, i) => write(svg, x, y + 34 + 19 * i, 15, "middle " + (text.startsWith("burned") ? "gold" : ""), text));
}

function drawMiddle(svg, step) {
  if (step.points !== null) {
    write(svg, 600, 372, 32, "middle", deal().result === "void" ? "the deal is void" : "the deal is over");
    [0, 1].forEach((one) => write(svg, 600, 424 + 44 * one, 36, "middle side" + one, `side ${one}:  ${signed(step.points[one])}`));
    return;
  }
  if (step.standing === null) {
    write(svg, 600, 440, 26, "middle", knowsTurn(step) ? step.asks : "a lead is due");
  } else {
    drawCards(svg, step.standing, [600, 416], 480, 1.4);
    const pill = `seat ${step.owner}` + (step.gouji ? "  gouji set 够级牌" : "");
    const width = step.gouji ? 230 : 110;
    draw(svg, "rect", { x: 600 - width / 2, y: 468, width, height: 30, rx: 15, class: "pill " + sideOf(step.owner) });
    write(svg, 600, 484, 16, "middle " + sideOf(step.owner), pill);
  }
  if (step.freeForAll) write(svg, 600, 520, 17, "middle gold", "free-for-all 四人乱缠");
}

const signed = (points) => (points > 0 ? "+" : "") + String(points).replace("-", "−");

// --- the page around the table

function fill(parent, ...children) {
  parent.replaceChildren(...children);
}

function make(tag, kind, text) {
  const element = document.createElement(tag);
  if (kind) element.className = kind;
  element.textContent = text;
  return element;
}

function showLegal(step) {
  if (!knowsTurn(step)) return fill(byId("legal"));
  const following = deal().steps[moments()[state.at][1] + 1];
  const chosen = following ? following.action : null;
  const listed = step.legal.includes(chosen) || chosen === null ? step.legal : [...step.legal, chosen];
  const chips = listed.map((action) => make("span", action === chosen ? "chosen" : "", action));
  fill(byId("legal"), make("b", "", `seat ${step.turn} may:`), ...chips);
}

const kindOf = (event) => (event.silent ? "unseen " : "") + (event.seat === null ? "" : sideOf(event.seat));

function showLog() {
  fill(byId("log"), ...moments().map((moment, i) => {
    const item = make("li", "", "");
    const events = eventsOf(moment);
    item.append(...events.map((event) => make("span", kindOf(event), event.text)));
    if (!events.length) item.append(make("span", "", "the cards are dealt"));
    item.addEventListener("click", () => go(i));
    return item;
  }));
}

function showFacts() {
  const facts = [["rules", deal().rules], ["seed", deal().seed ?? "none"], ["result", deal().result]];
  fill(byId("facts"), ...facts.flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
}

function show() {
  const step = stepNow(), svg = byId("table"), end = moments().length - 1;
  svg.replaceChildren();
  drawFelt(svg);
  SEATS.forEach((seat) => drawSeat(svg, step, seat));
  drawMiddle(svg, step);
  showLegal(step);
  byId("slider").max = end;
  byId("slider").value = state.at;
  byId("counter").textContent = `step ${state.at} of ${end}`;
  for (const id of ["first", "back"]) byId(id).disabled = state.at === 0;
  for (const id of ["next", "last"]) byId(id).disabled = state.at === end;
  markLog(byId("log"));
}

// Scrolls the log and not the page, which scrollIntoView would move on small screens.
function markLog(log) {
  [...log.children].forEach((item, i) => item.classList.toggle("now", i === state.at));
  log.scrollTop = log.children[state.at].offsetTop - log.offsetTop - log.clientHeight / 2;
}

function go(at) {
  state.at = Math.min(Math.max(at, 0), moments().length - 1);
  show();
}

// Another view keeps to the same step of the deal.
function look(view) {
  const step = moments()[state.at][1];
  state.view = view;
  showLog();
  go(moments().findIndex(([, last]) => last >= step));
}

function choose(number) {
  state.deal = number;
  state.at = 0;
  showFacts();
  showLog();
  show();
}

byId("first").addEventListener("click", () => go(0));
byId("back").addEventListener("click", () => go(state.at - 1));
byId("next").addEventListener("click", () => go(state.at + 1));
byId("last").addEventListener("click", () => go(Infinity));
byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("deal").addEventListener("change", (event) => choose(Number(event.target.value)));
byId("view").addEventListener("change", (event) => look(Number(event.target.value)));
document.addEventListener("keydown", (event) => {
  if (event.target.matches("select, input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = { ArrowLeft: state.at - 1, ArrowRight: state.at + 1, Home: 0, End: Infinity }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  go(to);
});

const option = (value, text) => new Option(text, value);
fill(byId("deal"), ...data.deals.map((each, i) => option(i, `line ${each.line}: ${each.result}`)));
fill(byId("view"), option(-1, "all hands"), ...SEATS.map((seat) => option(seat, `seat ${seat}`)));
byId("view").value = state.view;
choose(0);
